/**
 * One of the browser's own notifications, above other windows. Pressed, it leads back to this
 * page. By the service worker where there is one: Chrome on Android takes them from no page.
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
    // The browser takes none after all; the page says it too.
  }
}
