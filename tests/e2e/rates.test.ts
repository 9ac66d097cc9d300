import type { Page, Route } from "@playwright/test";
import { deferred } from "../support/deferred";
import { expect, test } from "./support/test";

/** Makes the page's refreshes return another price, or fail if it is null. */
async function mockRefresh(page: Page, price: string | null): Promise<void> {
  await page.unrouteAll();
  await page.route("**/vegas", async (route) => {
    if (price === null) return route.abort();
    const response = await route.fetch();
    const body = (await response.text()).replace(/[\d.]+(?=<!-- --> <span)/, price);
    await route.fulfill({ response, body });
  });
}

test("R02 the rates page updates itself and keeps the open table and the focus", async ({ page, pageErrors }) => {
  pageErrors.expect(/ERR_FAILED|Failed to fetch/);
  await page.goto("/login");
  await page.getByRole("contentinfo").getByRole("link", { name: "Rates" }).click();
  await page.waitForURL("**/vegas");
  await expect(page.getByText("New swaps are possible")).toBeVisible();
  // The page loads only its own scripts, and no React.
  await expect(page.locator("script, link[rel=modulepreload]")).toHaveCount(3);

  const summary = page.locator("summary", { hasText: "Chart data as a table" });
  await summary.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("table")).toBeVisible();
  await mockRefresh(page, "9.87654");
  await expect(page.getByText("9.87654")).toBeVisible();
  await expect(page.getByRole("table")).toBeVisible();
  await expect(summary).toBeFocused();

  await mockRefresh(page, null);
  await expect(page.getByRole("status").getByText("Connection lost, retrying")).toBeVisible();
  await expect(page.getByText("New swaps are possible")).toBeHidden();
  await expect(page.getByText("9.87654")).toBeVisible();

  await mockRefresh(page, "1.23456");
  await expect(page.getByText("1.23456")).toBeVisible();
  await expect(page.getByText("New swaps are possible")).toBeVisible();
  await expect(page.getByText("Connection lost")).toBeHidden();
});

test("the rates page shows times in the visitor's time zone from the first refresh on", async ({ openBrowser }) => {
  const page = await (await openBrowser({ timezoneId: "Asia/Kolkata" })).newPage();
  const seen = deferred();
  await page.route("**/vegas?range=1h", async (route) => {
    if (route.request().resourceType() !== "document") await seen.promise;
    // The page abandons a request after some time and sends another.
    await route.continue().catch(() => undefined);
  });
  await page.goto("/vegas?range=1h");
  const asOf = page.getByText(/^as of/);
  await expect(asOf).toHaveText(/UTC$/);
  seen.resolve();
  await expect(asOf).not.toHaveText(/UTC/);
});

/** As if the chart's first point were older than its range by now. */
async function fetchWithoutFirstPoint(route: Route) {
  const response = await route.fetch();
  const body = (await response.text())
    .replace(/ data-points="[^";]*;/, ' data-points="')
    .replace(/ d="M[^"L]*L([^"]*)" data-line/, ' d="M$1" data-line');
  return { response, body };
}

test("the chart is read with the pointer, a finger and the arrow keys, in the visitor's time zone", async ({
  openBrowser,
}) => {
  const context = await openBrowser({ timezoneId: "Asia/Kolkata", hasTouch: true, locale: "en-GB" });
  const page = await context.newPage();
  // The page refreshes itself every few seconds. The refresh is held back until the first points have been compared.
  const compared = deferred();
  let fresh: ReturnType<typeof fetchWithoutFirstPoint> | undefined;
  await page.route("**/vegas?range=24h", async (route) => {
    // The page abandons a request after some time and sends another.
    if (route.request().resourceType() === "document") return route.continue().catch(() => undefined);
    await compared.promise;
    fresh ??= fetchWithoutFirstPoint(route);
    await route.fulfill(await fresh).catch(() => undefined);
  });
  await page.goto("/vegas?range=24h");
  const slider = page.getByRole("slider", { name: "Price of 1 MOB over 24 hours" });
  const label = page.locator("[data-kept] p");
  await expect(slider).toHaveAttribute("aria-valuetext", /^0\.\d+ USDT, /);
  await expect(label).toBeHidden();

  const points = await page.locator("[data-points]").evaluate((plot) =>
    (plot.getAttribute("data-points") ?? "").split(";").map((pair) => {
      const [time = "", rate = ""] = pair.split(" ");
      return { time: Number(time), rate };
    }),
  );
  const [first, last] = [points[0], points.at(-1)];
  const point = points[Math.floor(points.length / 2)];
  if (!first || !last || !point) throw new Error("The chart has no points.");

  // Pointer: at a point in the middle.
  const box = await page.locator("[data-kept]").boundingBox();
  if (!box) throw new Error("The chart has no box.");
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + (box.width * (point.time - first.time)) / (last.time - first.time), middle);
  await expect(label).toBeVisible();
  const inIndia = (seconds: number) =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone: "Asia/Kolkata",
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
    }).format(seconds * 1000);
  await expect(label).toHaveText(`${point.rate} USDT${inIndia(point.time)}`);
  await page.mouse.move(5, 5);
  await expect(label).toBeHidden();

  // Keyboard: one point per key.
  await slider.focus();
  await expect(label).toHaveText(`${last.rate} USDT${inIndia(last.time)}`);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  const third = points.at(-3);
  await expect(slider).toHaveAttribute("aria-valuetext", `${third?.rate} USDT, ${inIndia(third?.time ?? 0)}`);
  await page.keyboard.press("Home");
  await expect(label).toHaveText(`${first.rate} USDT${inIndia(first.time)}`);

  // After a refresh, the first point is too old: the next one is selected, and the slider keeps the focus.
  compared.resolve();
  const second = points[1];
  await expect(slider).toHaveAttribute("aria-valuetext", `${second?.rate} USDT, ${inIndia(second?.time ?? 0)}`);
  await expect(label).toHaveText(`${second?.rate} USDT${inIndia(second?.time ?? 0)}`);
  await expect(slider).toBeFocused();
  await expect(label).toBeVisible();
  await slider.blur();
  await expect(label).toBeHidden();

  // Touch: a tap reads a point; a tap elsewhere hides it.
  await page.touchscreen.tap(box.x + box.width - 1, middle);
  await expect(label).toHaveText(/USDT/);
  await expect(label).toBeVisible();
  await page.touchscreen.tap(5, 5);
  await expect(label).toBeHidden();
});

test("the rates page has the site's navigation", async ({ page }) => {
  await page.goto("/vegas");
  const nav = page.getByRole("navigation", { name: "Main" });
  await expect(nav.getByRole("link")).toHaveText(["Swap", "Activity", "Addresses", "Rates", "Help"]);
  await expect(nav.getByRole("link", { name: "Rates" })).toHaveAttribute("aria-current", "page");
  await nav.getByRole("link", { name: "Help" }).click();
  await page.waitForURL("**/help");
});
