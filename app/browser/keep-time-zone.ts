import { timeZoneCookie } from "~/lib/locale";

const year = 365 * 86_400;
const restMs = 3_000;

/**
 * Tells the server this browser's time zone, for the next document: its times are then right, and
 * as long as they will stay, before a script runs. At every load, since who travels changes zones;
 * once the page rests, or as it is left, since the first use of Intl takes some 40 ms (200 on a phone).
 */
export function keepTimeZone(page: Window): void {
  const keep = () => {
    clearTimeout(timer);
    page.removeEventListener("pagehide", keep);
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    page.document.cookie = `${timeZoneCookie}=${zone}; Max-Age=${year}; Path=/; SameSite=Lax`;
  };
  const timer = setTimeout(keep, restMs);
  page.addEventListener("pagehide", keep);
}
