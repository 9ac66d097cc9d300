/** Customers for tests, with a signed-in browser and a client of the API. */
import type { Page } from "@playwright/test";
import type { ApiClient } from "~/api/client";
import type { DeliveryAddress, Order, Quote } from "~/api/contract";
import type { AssetSymbol } from "~/lib/assets";
import { connect, readAccessToken, verifyEmail, verifyIdentity } from "../../support/sign-up";
import { until } from "../../support/until";
import { createAccount, type SiteAccount, takeAccount, toBackend } from "./accounts";
import { addPasskey, disableAuthenticator } from "./authenticator";
import { getMobWallet } from "./sandbox";
import type { Site } from "./site";

export { newEmail } from "./accounts";

/** Registers with a passkey in the browser. Ends on /welcome/1, the first page of a new account. */
export async function register(page: Page, email: string): Promise<void> {
  await page.goto("/register");
  await createPasskey(page, email);
}

/** Completes the form on /register. */
export async function createPasskey(page: Page, email: string): Promise<void> {
  // After a click on a link, the previous page may still be on screen. It can have a field with the same label.
  await page.getByRole("heading", { name: "Create an account" }).waitFor();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await page.waitForURL((url) => url.pathname !== "/register");
}

export async function signOut(page: Page): Promise<void> {
  await disableAuthenticator(page);
  await page.locator("summary", { hasText: "Menu and account" }).click();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL("**/login");
}

/** The access token in the browser's session cookie. */
export async function readToken(page: Page): Promise<string> {
  const cookie = (await page.context().cookies()).find(({ name }) => name === "session");
  return readAccessToken(cookie?.value ?? "");
}

/** A signed-up customer who calls the API with their own token. */
export class Customer {
  readonly api: ApiClient;

  constructor(
    readonly site: Site,
    readonly email: string,
    readonly token: string,
  ) {
    this.api = connect({ origin: site.origin, fetch }, token);
  }

  /** Verifies the e-mail address and the identity. */
  async verify(): Promise<void> {
    const backend = toBackend(this.site);
    await verifyEmail(backend, this.email, this.token);
    await verifyIdentity(backend, this.api);
  }

  addAddress(type: "MOB" | "ETH", address: string, label = ""): Promise<DeliveryAddress> {
    return this.api.addAddress({ type, address, label });
  }

  createQuote(source: AssetSymbol, sourceAmount: string): Promise<Quote> {
    return this.api.createQuote({
      source_asset_symbol: source,
      target_asset_symbol: source === "USDT" ? "MOB" : "USDT",
      source_amount: sourceAmount,
    });
  }

  /** Locks a quote. MOB goes to the sandbox's wallet, USDT to `ethAddress`. */
  async lock(source: AssetSymbol, sourceAmount: string, ethAddress: string): Promise<Order> {
    const mob = await this.addAddress("MOB", (await getMobWallet(this.site)).address, "Sandbox");
    const eth = await this.addAddress("ETH", ethAddress, "Mine");
    const quote = await this.createQuote(source, sourceAmount);
    const [delivery, refund] = source === "USDT" ? [mob, eth] : [eth, mob];
    const request = { delivery_address_id: delivery.id, refund_address_id: refund.id };
    return this.api.lockQuote(quote.id, request, crypto.randomUUID());
  }

  getOrder(id: string): Promise<Order> {
    return this.api.getOrder(id);
  }

  async newestOrder(): Promise<Order> {
    const [order] = (await this.api.listOrders({ limit: 1 })).items;
    if (!order) throw new Error("This customer has no order.");
    return order;
  }

  waitForStatus(id: string, ...statuses: Order["status"][]): Promise<Order> {
    let last: Order["status"] | undefined;
    return until(
      () => `status ${statuses.join(" or ")}; the order is ${last}`,
      async () => {
        const order = await this.getOrder(id);
        last = order.status;
        return statuses.includes(order.status) && order;
      },
      { timeoutMs: 45_000, everyMs: 100 },
    );
  }
}

/**
 * A customer whose browser is signed in with a passkey. The account is registered through the site's forms
 * and, by default, verified.
 */
export async function signUp(page: Page, site: Site, { verified = true } = {}): Promise<Customer> {
  const account = verified ? await takeAccount(site) : await createAccount(site, { verified });
  await page.context().addCookies(toCookies(site, account));
  for (const passkey of account.passkeys) await addPasskey(page, passkey);
  return toCustomer(site, account);
}

/** Gives a signed-out browser the passkey of a verified account, whose address /login fills in. */
export async function signUpAndOut(page: Page, site: Site): Promise<void> {
  const account = await takeAccount(site);
  for (const passkey of account.passkeys) await addPasskey(page, passkey);
  // A new account sees the introduction first, unless this browser has shown it.
  await page.context().addCookies(toCookies(site, account).filter(({ name }) => name === "hasVisited"));
  await page.addInitScript((email) => localStorage.setItem("passkey", email), account.email);
  await disableAuthenticator(page);
}

export function toCustomer(site: Site, account: SiteAccount): Customer {
  return new Customer(site, account.email, readAccessToken(account.cookie));
}

/** The cookies of a browser in which the account has registered. */
export function toCookies({ origin }: Site, account: SiteAccount) {
  const cookie = { domain: new URL(origin).hostname, path: "/", expires: -1, secure: false, sameSite: "Lax" as const };
  return [
    { ...cookie, name: "session", value: account.cookie, httpOnly: true },
    { ...cookie, name: "hasVisited", value: "true", httpOnly: false },
  ];
}
