import { readCookie } from "~/lib/read-cookie";

/** S03, R03: copies the hasVisited cookie to the browser's storage. Loaders set and read the cookie. */
export function storeVisited(): void {
  if (readCookie(document.cookie, "hasVisited") !== "true") return;
  try {
    localStorage.setItem("hasVisited", "true");
  } catch {
    // Local storage is blocked; the cookie holds the same value.
  }
}
