/** Errors of pages outside the layout, for which the root shows its error screens. */
import type { Page } from "@playwright/test";
import { waitUntilReady } from "./appearances";

type BrokenRoute = { id: string; path: string; Component(): void };
type RemixWindow = {
  __remixManifest: { routes: Record<string, object> };
  __remixRouter: { patchRoutes(parent: string, routes: BrokenRoute[]): void; navigate(path: string): Promise<void> };
};

/** Opens a page outside the layout that throws (R18). The site's own ones load as documents, which run without React. */
export async function openBrokenPage(page: Page): Promise<void> {
  await page.goto("/login");
  await waitUntilReady(page);
  await page.evaluate(() => {
    const { __remixManifest: manifest, __remixRouter: router } = window as unknown as RemixWindow;
    const route = {
      id: "broken",
      path: "broken",
      Component() {
        throw new Error("Rendering failed.");
      },
    };
    manifest.routes[route.id] = {};
    router.patchRoutes("root", [route]);
    return router.navigate("/broken");
  });
}

/** Posts a form to the rates page, which is outside the layout and responds 405. */
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
