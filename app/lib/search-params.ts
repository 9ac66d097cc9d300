/**
 * Search params as the specification reads them: what does not fit is dropped, as if it
 * had not been there, and is never an error (V01–V03, R10, R11, R15).
 */
import { type AddressType, addressTypes } from "./assets";
import { toSafeRedirect } from "./safe-redirect";

/** V01, T1: a path of this site, or null. */
export function parseRedirect(params: URLSearchParams): string | null {
  return toSafeRedirect(single(params, "redirect"));
}

/** V02: `true` and `false` count, anything else is dropped. */
export function parseMessage(params: URLSearchParams): boolean | null {
  const value = single(params, "message");
  if (value === "true") return true;
  if (value === "false") return false;
  return null;
}

/** V03: exactly MOB or ETH. */
export function parseAddressType(params: URLSearchParams): AddressType | null {
  const value = single(params, "addressType");
  return addressTypes.find((type) => type === value) ?? null;
}

/** A param that is given twice says two things; it is dropped. */
function single(params: URLSearchParams, name: string): string | null {
  const values = params.getAll(name);
  return values.length === 1 ? (values[0] ?? null) : null;
}
