import type { Page } from "@playwright/test";
import { toQuotePath } from "~/lib/quote-path";
import { addAuthenticator } from "./support/authenticator";
import { newEmail, signUp } from "./support/customers";
import { newEthAddress, readCode } from "./support/sandbox";
import { expect, test } from "./support/test";

/** Every route of the specification for each kind of visitor, with the exact path and query it ends on. */
type Visit = [path: string, endsOn: string, heading: string | RegExp];

async function visitAll(page: Page, visits: readonly Visit[]): Promise<void> {
  for (const [path, endsOn, heading] of visits) {
    await page.goto(path);
    const { pathname, search } = new URL(page.url());
    expect(pathname + search, path).toBe(endsOn);
    await expect(page.getByRole("heading", { level: 1, name: heading }), path).toBeVisible();
  }
}

const signIn = "Sign in";
const addPasskey = "One more step: add a passkey";

test("R01 R06 R08 R13 R14 R15 sends signed-out visitors to /login with the specified redirect", async ({ page }) => {
  await visitAll(page, [
    ["/", "/login?redirect=%2Fswap", signIn],
    ["/swap", "/login?redirect=%2Fswap", signIn],
    ["/swap/usdt-to-mob?amount=5", "/login?redirect=%2Fswap%2Fusdt-to-mob%3Famount%3D5", signIn],
    ["/swap/mob-to-usdt", "/login?redirect=%2Fswap%2Fmob-to-usdt", signIn],
    ["/swap/deliveryaddress/", "/login?redirect=%2Fswap%2Fdeliveryaddress%2F", signIn],
    [
      "/swap/deliveryaddress/add?addressType=MOB",
      "/login?redirect=%2Fswap%2Fdeliveryaddress%2Fadd%3FaddressType%3DMOB",
      signIn,
    ],
    ["/swap/quote/123", "/login?redirect=%2Fswap%2Fquote%2F123", signIn],
    ["/kyc", "/login?redirect=%2Fkyc&message=true", signIn],
    ["/doger", "/login?redirect=%2Fkyc&message=true", signIn],
    ["/login", "/login", signIn],
    ["/register", "/register", "Create an account"],
  ]);
  await page.goto("/login?message=true");
  await expect(page.getByText("Sign in to continue")).toBeVisible();
  await page.goto("/login?message=1");
  await expect(page.getByText("Sign in to continue")).toHaveCount(0);
});

test("R06 replaces the history entry when redirecting to /login", async ({ page }) => {
  await page.goto("/welcome/2");
  await page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Swap" }).click();
  await page.waitForURL("**/login?redirect=%2Fswap");
  await page.goBack();
  await page.waitForURL("**/welcome/2");
});

test("R02 R03 R04 R05 shows the public pages to everyone", async ({ page, context, pageErrors }) => {
  await page.goto("/welcome");
  await page.waitForURL("**/welcome/1");
  expect((await context.cookies()).find(({ name }) => name === "hasVisited")?.value).toBe("true");
  for (const step of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "what-is-signal", "enable-signal"]) {
    const response = await page.goto(`/welcome/${step}`);
    expect(response?.status(), step).toBe(200);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  const rates = await page.goto("/vegas");
  expect(rates?.status()).toBe(200);
  // A document of its own, without the layout's data.
  expect(await page.evaluate(() => "__remixContext" in window)).toBe(false);

  pageErrors.expect(/404/);
  for (const step of ["0", "10", "01", "one"]) {
    const response = await page.goto(`/welcome/${step}`);
    expect(response?.status(), step).toBe(404);
    await expect(page.getByRole("heading", { name: "Not Found" })).toBeVisible();
  }
});

test("shows help, fees and legal texts to everyone, without React", async ({ page, pageErrors }) => {
  await page.goto("/login");
  await page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Help" }).click();
  await page.waitForURL("**/help");
  await page.getByLabel("Search the answers").fill("tron");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: "What if I use the wrong network" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /wrong network/ })).toBeVisible();
  await expect(page.locator("script, link[rel=modulepreload]")).toHaveCount(0);
  for (const [link, heading] of [
    ["Fees", "Fees and limits"],
    ["Terms", "Terms of service"],
    ["Privacy", "Privacy"],
    ["Accessibility", "Accessibility"],
  ] as const) {
    await page.getByRole("contentinfo").getByRole("link", { name: link }).click();
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  }
  pageErrors.expect(/404/);
  for (const path of ["/help/zebra", "/legal/zebra", "/legal/..%2Fhelp%2Flate"]) {
    expect((await page.goto(path))?.status(), path).toBe(404);
  }
});

test("S01 asks for a passkey on /swap, /swap/usdt-to-mob, /kyc and /doger", async ({ page, site }) => {
  const email = newEmail("mail");
  await page.goto("/login");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "E-mail me a code" }).click();
  const code = page.getByLabel("Code from the e-mail");
  await expect(code).toBeVisible();
  await code.fill(await readCode(site, email));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: addPasskey })).toBeVisible();
  await visitAll(page, [
    ["/swap", "/login?redirect=%2Fswap", addPasskey],
    ["/swap/usdt-to-mob", "/login?redirect=%2Fswap%2Fusdt-to-mob", addPasskey],
    ["/kyc", "/login?redirect=%2Fkyc&message=true", addPasskey],
    ["/doger", "/login?redirect=%2Fkyc&message=true", addPasskey],
  ]);
  await expect(page.getByRole("heading", { name: addPasskey })).toBeVisible();
});

test("S02 R08 redirects customers without KYC from the swap forms to /kyc, and opens the other pages", async ({
  page,
  site,
  pageErrors,
}) => {
  await signUp(page, site, { verified: false });
  await visitAll(page, [
    ["/", "/swap", /./],
    ["/swap/usdt-to-mob?amount=5", "/kyc?redirect=%2Fswap%2Fusdt-to-mob%3Famount%3D5", "Verification"],
    ["/swap/mob-to-usdt", "/kyc?redirect=%2Fswap%2Fmob-to-usdt", "Verification"],
    ["/swap/deliveryaddress/", "/swap/deliveryaddress/", /address/i],
    ["/swap/deliveryaddress/add?addressType=ETH", "/swap/deliveryaddress/add?addressType=ETH", /address/i],
    ["/kyc", "/kyc", "Verification"],
    ["/doger", "/doger", /./],
    ["/login", "/swap", /./],
    ["/login?redirect=%2Fdoger", "/doger", /./],
    ["/login?redirect=%2F%2Fevil.example", "/swap", /./],
  ]);
  // R20: a quote that does not exist or belongs to another account.
  pageErrors.expect(/404/);
  const response = await page.goto("/swap/quote/123");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Not Found" })).toBeVisible();
});

test("R08 R09 R12 R19 V05 E05 shows approved customers the swap forms, and only quotes whose URL matches", async ({
  page,
  site,
  pageErrors,
}) => {
  const customer = await signUp(page, site);
  await visitAll(page, [
    ["/swap/usdt-to-mob", "/swap/usdt-to-mob", /./],
    ["/swap/mob-to-usdt", "/swap/mob-to-usdt", /./],
    ["/kyc", "/kyc", "Verification"],
    ["/kyc?redirect=%2Fswap%2Fmob-to-usdt", "/swap/mob-to-usdt", /./],
  ]);
  const quote = await customer.createQuote("USDT", "25");
  await visitAll(page, [[`/swap/quote/${quote.id}`, toQuotePath(quote), "Your price"]]);

  // An invalid quote shows the error screen, with its details on demand.
  pageErrors.expect(/400/);
  const wrong = toQuotePath(quote).replace("source_asset_symbol=USDT", "source_asset_symbol=BTC");
  const response = await page.goto(wrong);
  expect(response?.status()).toBe(400);
  await expect(page.getByRole("heading", { name: "Something went wrong!" })).toBeVisible();
  await expect(page.getByText("Invalid quote")).toBeHidden();
  await page.getByRole("button", { name: "Show Error" }).click();
  await expect(page.getByText("Invalid quote")).toBeVisible();
  await page.getByRole("button", { name: "Hide Error" }).click();
  await expect(page.getByText("Invalid quote")).toBeHidden();
});

test("T35 R20 hides another customer's quote", async ({ page, site, openBrowser, pageErrors }) => {
  const owner = await signUp(page, site);
  const order = await owner.lock("USDT", "25", newEthAddress());
  const other = await (await openBrowser()).newPage();
  await addAuthenticator(other);
  await signUp(other, site);
  pageErrors.expect(/404/);
  expect((await other.goto(`/swap/quote/${order.quote_id}`))?.status()).toBe(404);
  await expect(other.getByRole("heading", { name: "Not Found" })).toBeVisible();
  expect((await other.request.get(`/swap/orders/${order.id}/receipt`)).status()).toBe(404);
});
