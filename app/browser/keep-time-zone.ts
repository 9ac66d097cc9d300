import { timeZoneCookie } from "~/lib/locale";

const year = 365 * 86_400;

/**
 * Tells the server this browser's time zone, for the next page: its times are then right, and
 * as long as they will stay, before a script runs. At every load, since who travels changes zones.
 */
export function keepTimeZone(page: { document: { cookie: string } }): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  page.document.cookie = `${timeZoneCookie}=${zone}; Max-Age=${year}; Path=/; SameSite=Lax`;
}
