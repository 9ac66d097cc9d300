/**
 * T1: validates `redirect`, which may only be a path of this site. Refuses everything that a browser
 * would read as another host (`//x`, `/\x`, `/<tab>/x`, `/..//x`). The check runs again on the normalised URL, because
 * some paths become another host only after normalising.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern excludes these characters.
const localPath = /^\/(?![/\\])[^\\\x00-\x20\x7f]*$/;
/** Encoded control characters, space, delete and backslash. None of the site's paths contains one. */
const forbiddenEscape = /%(?:[01][0-9a-f]|20|7f|5c)/i;
/** Any origin works for the check. It is not part of the result. */
const anyOrigin = "https://antelope.invalid";
const maxLength = 2048;

/** The normalised path, search and hash, or null if `value` is not a path of this site. */
export function toSafeRedirect(value: unknown): string | null {
  if (typeof value !== "string" || value.length > maxLength || !isLocal(value)) return null;
  let url: URL;
  try {
    url = new URL(value, anyOrigin);
  } catch {
    return null;
  }
  if (url.origin !== anyOrigin) return null;
  const normalised = url.pathname + url.search + url.hash;
  return isLocal(normalised) ? normalised : null;
}

function isLocal(path: string): boolean {
  return localPath.test(path) && !forbiddenEscape.test(path);
}
