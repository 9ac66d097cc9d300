/** Parses search params. Invalid ones count as absent and are never an error (V01–V03, R10, R11, R15). */
import { type AddressType, addressTypes } from "./assets";
import { toSafeRedirect } from "./safe-redirect";

/**
 * V01, T1: the path of a page of this site, or null. A file is not a page: a link to /login must not start a download
 * (T72).
 */
export function parseRedirect(params: URLSearchParams): string | null {
  const path = toSafeRedirect(single(params, "redirect"));
  return path === null || isFile(path) ? null : path;
}

/** Whether the path has a dot, which may be encoded: only files have one. */
function isFile(path: string): boolean {
  const [pathname = ""] = path.split(/[?#]/, 1);
  return /\.|%2e/i.test(pathname);
}

/** V02: true, false, or null for anything else. */
export function parseMessage(params: URLSearchParams): boolean | null {
  const value = single(params, "message");
  if (value === "true") return true;
  if (value === "false") return false;
  return null;
}

/** V03: MOB, ETH, or null for anything else. */
export function parseAddressType(params: URLSearchParams): AddressType | null {
  const value = single(params, "addressType");
  return addressTypes.find((type) => type === value) ?? null;
}

/** The value of a param that occurs exactly once. */
function single(params: URLSearchParams, name: string): string | null {
  const values = params.getAll(name);
  return values.length === 1 ? (values[0] ?? null) : null;
}
