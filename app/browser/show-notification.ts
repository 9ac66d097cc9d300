/**
 * Shows a system notification that opens this page when clicked. Uses the service worker if there is
 * one, because Chrome on Android refuses notifications from pages.
 */
export async function showNotification(title: string, body: string): Promise<void> {
  const options = { body, icon: "/icon-192.png", data: window.location.href, tag: window.location.pathname };
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker) return await worker.showNotification(title, options);
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // The browser refused it. The page shows the same information.
  }
}
