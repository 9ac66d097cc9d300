/** The big board stands outside the layout, so what goes wrong there shows the root's own screens. */
import type { Page } from "@playwright/test";

type Manifest = { routes: Record<string, { module: string }> };

/** Goes to the board while its screen cannot be drawn (R18). */
export async function breakBoard(page: Page): Promise<void> {
  await page.goto("/login");
  const board = await page.evaluate(
    () => (window as unknown as { __remixManifest: Manifest }).__remixManifest.routes["routes/vegas/route"]?.module,
  );
  await page.route(`**${board}`, (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: 'export const clientLoader = () => null; export default () => { throw new TypeError("Not drawn."); };',
    }),
  );
  await page.getByRole("link", { name: "Rates and status" }).click();
}

/** The big board takes no posts: a form that was made up sends one, and is refused (405). */
export async function postToBoard(page: Page): Promise<void> {
  await page.goto("/login");
  await page.evaluate(() => {
    const form = document.createElement("form");
    form.method = "post";
    form.action = "/vegas";
    document.body.append(form);
    form.submit();
  });
}
