import { expect, test } from "./support/test";

/**
 * Presses a key in every gap of a page's waking up, in its first two seconds.
 * React 18 hydrates at once whatever a key is pressed on: it must not find the root without its data.
 */
function pressWithoutPause(): void {
  const { port1, port2 } = new MessageChannel();
  const end = performance.now() + 2000;
  port1.onmessage = () => {
    const pressed = document.activeElement ?? document;
    pressed.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true }));
    if (performance.now() < end) port2.postMessage(null);
  };
  port2.postMessage(null);
}

test("whoever types before the page has woken up gets a page that works", async ({ page }) => {
  await page.addInitScript(pressWithoutPause);
  for (const path of ["/login", "/register"]) {
    await page.goto(path);
    await expect(page.getByRole("button", { name: /passkey/i }).first()).toBeEnabled();
  }
});
