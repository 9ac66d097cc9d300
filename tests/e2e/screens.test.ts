import { deferred } from "../support/deferred";
import { waitUntilReady } from "./support/appearances";
import { openBrokenPage, postToRatesPage } from "./support/root-errors";
import { expect, test } from "./support/test";

type Manifest = { routes: Record<string, { id: string; module: string; path?: string; hasErrorBoundary: boolean }> };

test("R17 shows 404, its poem and a link for an unknown URL", async ({ page, pageErrors }) => {
  pageErrors.expect(/404/);
  expect((await page.goto("/nowhere/at/all"))?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "404" })).toBeVisible();
  await expect(page.getByText("The antelope just flicks her tail")).toBeVisible();
  await page.getByRole("main").getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name: "404" })).toHaveCount(0);
});

test("R18 shows the root's error screen for a failure outside the layout", async ({ page, pageErrors }) => {
  pageErrors.expect(/Rendering failed/);
  await openBrokenPage(page);
  await expect(page.getByRole("heading", { level: 1, name: "Error", exact: true })).toBeVisible();
  await expect(
    page.getByText(
      "An unexpected error has occurred. Please try again later or contact support if the issue persists.",
    ),
  ).toBeVisible();
  await page.getByRole("link", { name: "Start again" }).click();
  await page.waitForURL("**/login?redirect=%2Fswap");
});

test("explains that a page outside the layout doesn't accept a form", async ({ page, pageErrors }) => {
  pageErrors.expect(/405/);
  await postToRatesPage(page);
  await expect(page.getByRole("heading", { level: 1, name: "This action is not supported here" })).toBeVisible();
  await page.getByRole("link", { name: "Start again" }).click();
  await page.waitForURL("**/login?redirect=%2Fswap");
});

test("R16 shows Loading... and its poem during a slow navigation, then the page", async ({ page }) => {
  await page.goto("/login");
  const released = deferred();
  await page.route("**/register.data*", async (route) => {
    await released.promise;
    await route.continue();
  });
  await waitUntilReady(page);
  await page.getByRole("link", { name: "Create an account with a passkey" }).click();
  await expect(page.getByText("Loading...")).toBeVisible();
  await expect(page.getByText("The antelope pauses, one hoof in the air")).toBeVisible();
  released.resolve();
  await expect(page.getByRole("heading", { name: "Create an account" })).toBeVisible();
  await expect(page.getByText("Loading...")).toHaveCount(0);
});

test("R22 loads each screen's own chunk when the screen is opened", async ({ page }) => {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  await page.goto("/register");
  await page.waitForLoadState("networkidle");
  const { routes } = await page.evaluate(() => (window as unknown as { __remixManifest: Manifest }).__remixManifest);
  const screens = Object.values(routes).filter(({ id }) => /^routes\/.*\/route$/.test(id));
  expect(new Set(screens.map(({ module }) => module)).size).toBe(screens.length);

  const moduleOf = (id: string) => routes[id]?.module ?? "";
  const requestedScreens = () => screens.filter(({ module }) => requested.includes(module)).map(({ id }) => id);
  // The page contains the modules of its own routes (decision 52).
  expect(requestedScreens()).toEqual([]);
  await page.getByRole("link", { name: "Sign in" }).last().click();
  await page.waitForURL("**/login");
  expect(requestedScreens()).toContain("routes/auth/login/route");
  expect(moduleOf("routes/swap/quote/route")).toMatch(/\.js$/);
  expect(requested).not.toContain(moduleOf("routes/swap/quote/route"));
});

test("uses prefetched data for the navigation, and never prefetches pages with side effects", async ({
  page,
  site,
}) => {
  const start = site.output.length;
  const countRequests = (path: string) => site.output.slice(start).split(`"path":"${path}"`).length - 1;
  await page.goto("/login");
  await page.waitForLoadState("networkidle");
  await waitUntilReady(page);
  const link = page.getByRole("link", { name: "Create an account with a passkey" });
  await link.hover();
  await expect.poll(() => countRequests("/register.data")).toBe(1);
  await page.waitForLoadState("networkidle");
  await link.click();
  await expect(page.getByRole("heading", { name: "Create an account" })).toBeVisible();
  // The second request is for the layout's data, which depends on the visitor.
  await expect.poll(() => countRequests("/register.data")).toBe(2);

  // Prefetching the introduction does not count as a visit.
  const prefetched = page.waitForResponse("**/welcome/1.data*");
  await page.getByRole("link", { name: "How it works" }).hover();
  await (await prefetched).finished();
  await expect.poll(() => countRequests("/welcome/1.data")).toBe(1);
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("hasVisited");
});

test("E17 reloads the page once when a chunk fails to load, then shows the error screen", async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_FAILED|Failed to fetch dynamically imported module|Error loading route module/);
  const documents: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
  });
  await page.goto("/login");
  const module = await page.evaluate(
    () =>
      (window as unknown as { __remixManifest: Manifest }).__remixManifest.routes["routes/auth/register/route"]?.module,
  );
  await page.route(`**${module}`, (route) => route.abort("failed"));
  const link = page.getByRole("link", { name: "Create an account with a passkey" });
  await waitUntilReady(page);
  await link.click();
  await expect.poll(() => documents).toHaveLength(2);
  await page.waitForLoadState("networkidle");
  await waitUntilReady(page);
  await link.click();
  await expect(page.getByRole("heading", { name: "Something went wrong!" })).toBeVisible();
  expect(documents).toHaveLength(2);
});
