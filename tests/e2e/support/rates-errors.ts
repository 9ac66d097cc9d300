/** The rates page is outside the layout, so its errors show the root's error screens. */
import type { Page } from "@playwright/test";
import { waitUntilReady } from "./appearances";

type Router = { navigate(path: string): Promise<void> };
type Manifest = { routes: Record<string, { module: string }> };

/** Opens the rates page with a component that throws (R18). After a TypeError, the page would load itself again. */
export async function breakRatesPage(page: Page): Promise<void> {
  await page.goto("/login");
  const module = await page.evaluate(
    () => (window as unknown as { __remixManifest: Manifest }).__remixManifest.routes["routes/vegas/route"]?.module,
  );
  await page.route(`**${module}`, (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: 'export const clientLoader = () => null; export default () => { throw new Error("Rendering failed."); };',
    }),
  );
  await waitUntilReady(page);
  // Links load the page as a document; redirects do not.
  await page.evaluate(() => (window as unknown as { __remixRouter: Router }).__remixRouter.navigate("/vegas"));
}

/** Posts a form to the rates page, which responds 405. */
export async function postToRatesPage(page: Page): Promise<void> {
  await page.goto("/login");
  await page.evaluate(() => {
    const form = document.createElement("form");
    form.method = "post";
    form.action = "/vegas";
    document.body.append(form);
    form.submit();
  });
}
