import { yearSeconds } from "~/lib/durations";
import { timeZoneCookie } from "~/lib/locale";

const idleMs = 3_000;

/**
 * Stores the browser's time zone in a cookie, so that the next document shows local times before
 * scripts run. Done on every load, because visitors travel; 3 s after it or when the page is left,
 * because the first use of Intl takes about 40 ms (200 ms on a phone).
 */
export function storeTimeZone(page: Window): void {
  const store = () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    page.document.cookie = `${timeZoneCookie}=${timeZone}; Max-Age=${yearSeconds}; Path=/; SameSite=Lax`;
  };
  setTimeout(store, idleMs);
  page.addEventListener("pagehide", store);
}
