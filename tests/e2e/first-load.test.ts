import type { BrowserContext, Response } from "@playwright/test";
import { takeAccount } from "./support/accounts";
import { waitUntilReady } from "./support/appearances";
import { toCookies } from "./support/customers";
import { expect, test } from "./support/test";

/** With Brotli, until the page is interactive. */
const maxScriptBytes = 90_000;

const publicPaths = ["/login", "/register", "/welcome/1"];
const ownPaths = ["/swap/usdt-to-mob", "/swap/mob-to-usdt"];

test("loads at most 90 kB of JavaScript before a page is interactive", async ({ site, openBrowser }) => {
  const storageState = { cookies: toCookies(site, await takeAccount(site)), origins: [] };
  const tooLarge: string[] = [];
  for (const [path, options] of [
    ...publicPaths.map((one) => [one, {}] as const),
    ...ownPaths.map((one) => [one, { storageState }] as const),
  ]) {
    const bytes = await loadScripts(await openBrowser(options), path);
    if (bytes > maxScriptBytes) tooLarge.push(`${path}: ${bytes} bytes`);
  }
  expect(tooLarge).toEqual([]);
});

test("loads /login with eight requests", async ({ page }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await page.goto("/login");
  await waitUntilReady(page);
  await page.waitForLoadState("networkidle");
  const withoutHash = requests.map((path) => path.replace(/-[\w-]{8}(?=\.)/, "")).sort();
  expect(withoutHash).toEqual([
    "/assets/drawings.svg",
    "/assets/figtree.woff2",
    "/assets/framework.js",
    "/assets/manifest.js",
    "/assets/shell.js",
    "/assets/sign-in.js",
    "/assets/young-serif.woff2",
    "/login",
  ]);
});

test("inlines the styles of public pages, and loads the styles of other pages once", async ({ page }) => {
  const sheets: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "stylesheet") sheets.push(new URL(request.url()).pathname);
  });
  for (const path of [...publicPaths, "/vegas", "/login"]) {
    await page.goto(path);
    await waitUntilReady(page);
  }
  expect(sheets).toEqual([]);
  const style = page.locator("head > style");
  const before = await style.textContent();
  await page.getByRole("link", { name: "Create an account with a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Create an account" })).toBeVisible();
  expect([await style.textContent(), sheets]).toEqual([before, []]);
  await page.goto("/help");
  await waitUntilReady(page);
  expect(sheets.length).toBeGreaterThan(0);
  expect(new Set(sheets).size).toBe(sheets.length);
});

/** Visits a page for the first time. @returns the size of its scripts as sent */
async function loadScripts(context: BrowserContext, path: string): Promise<number> {
  const page = await context.newPage();
  const scripts: Response[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response);
  });
  await page.goto(path);
  await waitUntilReady(page);
  expect(new URL(page.url()).pathname).toBe(path);
  const sizes = await Promise.all(scripts.map(async (script) => Number(await script.headerValue("content-length"))));
  expect(sizes.filter((size) => size > 0).length, `scripts of ${path}`).toBe(scripts.length);
  expect(scripts.length, `scripts of ${path}`).toBeGreaterThan(0);
  return sizes.reduce((sum, size) => sum + size, 0);
}
