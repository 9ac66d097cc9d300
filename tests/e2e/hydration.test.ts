import { expect, test } from "./support/test";

/**
 * Sends key events as often as possible during the first two seconds of a page. React 18 hydrates
 * synchronously on a key event, which fails if the page's data has not arrived yet (browser/wait-for-data.ts).
 */
function pressKeysContinuously(): void {
  const { port1, port2 } = new MessageChannel();
  const end = performance.now() + 2000;
  port1.onmessage = () => {
    const pressed = document.activeElement ?? document;
    pressed.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true }));
    if (performance.now() < end) port2.postMessage(null);
  };
  port2.postMessage(null);
}

test("hydrates a page in which keys are pressed before it is hydrated", async ({ page }) => {
  await page.addInitScript(pressKeysContinuously);
  for (const path of ["/login", "/register"]) {
    await page.goto(path);
    await expect(page.getByRole("button", { name: /passkey/i }).first()).toBeEnabled();
  }
});
