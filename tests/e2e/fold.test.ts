import { signUp } from "./support/customers";
import { expect, test } from "./support/test";

/** In a narrow window the price of /login comes before its form. */
const sizes = [
  { width: 1280, height: 800, login: ["Continue", "Sign in with a passkey"] },
  { width: 390, height: 844, login: ["Continue"] },
];

for (const { width, height, login } of sizes) {
  test(`the next step is above the fold at ${width} × ${height}`, async ({ page, site }) => {
    await page.setViewportSize({ width, height });
    async function expectAboveFold(path: string, buttons: string[]): Promise<void> {
      await page.goto(path);
      for (const name of buttons) {
        const button = page.getByRole("main").getByRole("button", { name, exact: true });
        await expect(button).toBeVisible();
        const { y, height: own } = (await button.boundingBox()) ?? { y: Number.NaN, height: 0 };
        expect(y + own, `${path}: ${name}`).toBeLessThanOrEqual(height);
      }
    }
    await expectAboveFold("/login", login);
    await expectAboveFold("/register", ["Create a passkey"]);
    await signUp(page, site);
    await expectAboveFold("/swap", ["Continue"]);
  });
}
