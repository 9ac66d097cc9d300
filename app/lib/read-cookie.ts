/** The value of a cookie as it was sent, or null. @param header a Cookie header, or `document.cookie` */
export function readCookie(header: string | null, name: string): string | null {
  for (const part of (header ?? "").split(";")) {
    const [key = "", ...value] = part.split("=");
    if (key.trim() === name) return value.join("=").trim();
  }
  return null;
}
