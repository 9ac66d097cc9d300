/**
 * Removes price feeds or nodes that are listed twice: one must not count as two that agree (T44, T55). Two
 * URLs with the same host, port and path are the same one, whatever their scheme, query and login.
 */
export function toDistinctUrls(urls: readonly string[]): string[] {
  return [...new Map([...urls].reverse().map((url) => [toKey(url), url])).values()].reverse();
}

function toKey(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host.replace(/\.(?=:|$)/, "")}${decodePath(pathname).replace(/\/+/g, "/").replace(/\/$/, "")}`;
}

/** The path without unnecessary percent-encoding; unchanged if it is not valid. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
