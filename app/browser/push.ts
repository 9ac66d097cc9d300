/** Kept out of lib/paths, which every page loads. */
const notifications = "/swap/notifications";

/**
 * Subscribes this browser to push notifications, which arrive even when no page of the site is open. Requires
 * permission for notifications and the service worker. With `onlyRenew`, only sends an existing subscription again: its
 * endpoint may have changed, and a new session does not have it yet. A subscription made with another key of the
 * exchange is replaced, because push services would refuse messages for it.
 * @returns whether this browser will be notified. Some browsers have no push service, or cannot reach it.
 */
export async function subscribeToPush({ onlyRenew = false } = {}): Promise<boolean> {
  try {
    if (!(await navigator.serviceWorker?.getRegistration())) return false;
    const { pushManager } = await navigator.serviceWorker.ready;
    const known = await pushManager.getSubscription();
    if (!known && onlyRenew) return false;
    const response = await fetch(notifications);
    if (!response.ok) return false;
    const { publicKey } = (await response.json()) as { publicKey: string };
    const isOutdated = known !== null && toKeyText(known) !== publicKey;
    if (isOutdated) await known.unsubscribe();
    const subscription =
      known && !isOutdated
        ? known
        : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    const { endpoint = "", keys = {} } = subscription.toJSON();
    const body = new URLSearchParams({ endpoint, p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" });
    // Once the session has ended, the site redirects to the sign-in page.
    return (await fetch(notifications, { method: "POST", body, redirect: "error" })).ok;
  } catch {
    return false;
  }
}

/** The exchange's public key that a subscription was made with, in base64url. */
function toKeyText({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = new Uint8Array(applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) => ({ "+": "-", "/": "_" })[sign] ?? "");
}
