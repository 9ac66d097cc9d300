/**
 * T1: where `redirect` may lead. A path of this site and nothing else: what a browser
 * would read as another host (`//x`, `/\x`, `/<tab>/x`, `/..//x`) is refused, and so is
 * what only becomes one after the URL was normalised; that is why the result of the
 * parser is tested again.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there.
const localPath = /^\/(?![/\\])[^\\\x00-\x20\x7f]*$/;
/** Encoded control characters, space, delete and backslash have no business in an address of ours. */
const encodedTrouble = /%(?:[01][0-9a-f]|20|7f|5c)/i;
/** Only its host matters: nothing of it is in the result. */
const anyOrigin = "https://antelope.invalid";
const longest = 2048;

/** The normalised path, search and hash, or null where `value` may not be followed. */
export function toSafeRedirect(value: unknown): string | null {
  if (typeof value !== "string" || value.length > longest || !isLocal(value)) return null;
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
  return localPath.test(path) && !encodedTrouble.test(path);
}
