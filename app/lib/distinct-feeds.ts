/**
 * Removes price feeds that are listed twice: one feed must not count as two that agree (T44). Two
 * URLs with the same host, port and path are the same feed, whatever their scheme, query and login.
 */
export function toDistinctFeeds(urls: readonly string[]): string[] {
  return [...new Map([...urls].reverse().map((url) => [toFeedKey(url), url])).values()].reverse();
}

function toFeedKey(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host.replace(/\.(?=:|$)/, "")}${decodePath(pathname).replace(/\/+/g, "/").replace(/\/$/, "")}`;
}

/** The path without percent-encoding of letters that need none; unchanged if it is not valid. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
