import { newEmail } from "./support/customers";
import { readCode } from "./support/sandbox";
import { Site } from "./support/site";
import { test as base, expect, siteTimeout } from "./support/test";

/** The same build under Remix's own server: `npx remix-serve build/server/index.js`. */
const test = base.extend({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const site = await Site.start({}, ["node_modules/@remix-run/serve/dist/cli.js", "build/server/index.js"]);
      await use(site);
      await site.stop();
    },
    siteTimeout,
  ],
});

test("runs under remix-serve: renders pages, accepts forms and refuses other origins", async ({ page, site }) => {
  const response = await fetch(`${site.origin}/api/status`);
  expect(((await response.json()) as { accepting_swaps: boolean }).accepting_swaps).toBe(true);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  const signIn = await fetch(`${site.origin}/login`);
  expect(signIn.headers.get("content-security-policy")).toContain("'nonce-");

  // R06
  await page.goto("/swap");
  await page.waitForURL("**/login?redirect=%2Fswap");
  const email = newEmail("serve");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "E-mail me a code" }).click();
  const code = page.getByLabel("Code from the e-mail");
  await expect(code).toBeVisible();
  await code.fill(await readCode(site, email));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Add a passkey to this device" }).click();
  await page.waitForURL("**/welcome/1");

  // T2: Remix's own check refuses another origin first (500); ours refuses whatever that check lets through.
  const post = (headers: HeadersInit, path = "/login") =>
    fetch(site.origin + path, {
      method: "POST",
      redirect: "manual",
      headers,
      body: new URLSearchParams({ intent: "other-address" }),
    });
  expect((await post({ origin: "http://evil.example" })).status).toBeGreaterThanOrEqual(400);
  expect((await post({})).status).toBe(403);
  expect((await post({ origin: site.origin, "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await post({ origin: site.origin })).status).toBe(302);
  expect((await post({ origin: "http://evil.example" }, "/login.data")).status).toBeGreaterThanOrEqual(400);
  expect((await post({ origin: site.origin }, "/login.data")).status).toBe(202);
});
