import { breakBoard, postToBoard } from "./support/board-troubles";
import { expect, test } from "./support/test";

type Manifest = { routes: Record<string, { id: string; module: string; path?: string; hasErrorBoundary: boolean }> };

test("R17 an unknown URL shows 404 and its poem, with a way on", async ({ page, troubles }) => {
  troubles.expect(/404/);
  expect((await page.goto("/nowhere/at/all"))?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "404" })).toBeVisible();
  await expect(page.getByText(/antelope/i).first()).toBeVisible();
  await page.getByRole("main").getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name: "404" })).toHaveCount(0);
});

test("R18 a failure outside the layout shows the root's Error", async ({ page, troubles }) => {
  troubles.expect(/TypeError|Cannot read/);
  await breakBoard(page);
  await expect(page.getByRole("heading", { level: 1, name: "Error", exact: true })).toBeVisible();
  await expect(
    page.getByText(
      "An unexpected error has occurred. Please try again later or contact support if the issue persists.",
    ),
  ).toBeVisible();
  await page.getByRole("link", { name: "Start again" }).click();
  await page.waitForURL("**/login?redirect=%2Fswap");
});

test("a page that takes nothing says so in words, outside the layout as well", async ({ page, troubles }) => {
  troubles.expect(/405/);
  await postToBoard(page);
  await expect(page.getByRole("heading", { level: 1, name: "This cannot be done here" })).toBeVisible();
  await page.getByRole("link", { name: "Start again" }).click();
  await page.waitForURL("**/login?redirect=%2Fswap");
});

test("R16 a navigation that takes long shows Loading... and its poem, and then the page", async ({ page }) => {
  await page.goto("/login");
  await page.route("**/register.data*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await route.continue();
  });
  await page.getByRole("link", { name: "Create an account with a passkey" }).click();
  await expect(page.getByText("Loading...")).toBeVisible();
  await expect(page.getByText(/antelope/i).first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "Create an account" })).toBeVisible();
  await expect(page.getByText("Loading...")).toHaveCount(0);
});

test("R22 every screen has a chunk of its own, asked for when it is gone to", async ({ page, site }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/register");
  await page.waitForLoadState("networkidle");
  const { routes } = await page.evaluate(() => (window as unknown as { __remixManifest: Manifest }).__remixManifest);
  const screens = Object.values(routes).filter(({ id }) => /^routes\/.*\/route$/.test(id));
  expect(new Set(screens.map(({ module }) => module)).size).toBe(screens.length);

  const moduleOf = (id: string) => routes[id]?.module ?? "";
  const askedScreens = () => screens.filter(({ module }) => asked.includes(module)).map(({ id }) => id);
  expect(askedScreens().sort()).toEqual(["routes/auth/register/route", "routes/auth/route", "routes/layout/route"]);
  await page.getByRole("link", { name: "Sign in" }).last().click();
  await page.waitForURL("**/login");
  expect(askedScreens()).toContain("routes/auth/login/route");
  expect(asked).not.toContain(moduleOf("routes/swap/quote/route"));
  expect(site.origin).toBe(new URL(page.url()).origin);
});

test("what the intent to go somewhere fetched is not fetched again on going; what is of one visitor is not fetched by intent", async ({
  page,
  site,
}) => {
  const start = site.output.length;
  const asked = (path: string) => site.output.slice(start).split(`"path":"${path}"`).length - 1;
  await page.goto("/login");
  await page.waitForLoadState("networkidle");
  const link = page.getByRole("link", { name: "Create an account with a passkey" });
  await link.hover();
  await expect.poll(() => asked("/register.data")).toBe(1);
  await page.waitForLoadState("networkidle");
  await link.click();
  await expect(page.getByRole("heading", { name: "Create an account" })).toBeVisible();
  // The layout tells who is here, and is asked on going.
  expect(asked("/register.data")).toBe(2);

  // Pointing at the introduction is not having been there.
  await page.getByRole("link", { name: "How it works" }).hover();
  await expect.poll(() => asked("/welcome/1.data")).toBe(1);
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("hasVisited");
});

test("E17 a chunk that fails to load reloads the page once; a chunk that is really gone ends on the error screen", async ({
  page,
  troubles,
}) => {
  troubles.expect(/ERR_FAILED|Failed to fetch dynamically imported module|Error loading route module/);
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
  await link.click();
  await expect.poll(() => documents).toHaveLength(2);
  await page.waitForLoadState("networkidle");
  await link.click();
  await expect(page.getByRole("heading", { name: "Something went wrong!" })).toBeVisible();
  expect(documents).toHaveLength(2);
});
