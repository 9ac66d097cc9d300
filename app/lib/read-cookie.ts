/** The value of a cookie as it was sent, or null. @param header a Cookie header, or `document.cookie` */
export function readCookie(header: string | null, name: string): string | null {
  return new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(header ?? "")?.[1] ?? null;
}
