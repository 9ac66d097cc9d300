/** Customers for tests: signed up in the browser, set up through the API. */
import { expect, type Page } from "@playwright/test";
import type { DeliveryAddress, Order, Quote } from "../../../app/api/contract";
import type { AssetSymbol } from "../../../app/lib/assets";
import { disableAuthenticator } from "./authenticator";
import { getMobWallet, readCode } from "./sandbox";
import { type Site, waitUntil } from "./site";

let emailCount = 0;
export function newEmail(name = "ada"): string {
  emailCount += 1;
  return `${name}-${process.pid}-${emailCount}@example.org`;
}

/** Registers with a passkey in the browser. Ends on /welcome/1, the first page of a new account. */
export async function register(page: Page, email: string): Promise<void> {
  await page.goto("/register");
  await createPasskey(page, email);
}

/** Completes the form on /register. */
export async function createPasskey(page: Page, email: string): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await page.waitForURL((url) => url.pathname !== "/register");
}

export async function signOut(page: Page): Promise<void> {
  await disableAuthenticator(page);
  await page.locator("summary", { hasText: "Menu and account" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/login");
}

/** The access token in the session cookie, which is signed but not encrypted. */
export async function readToken(page: Page): Promise<string> {
  const cookie = (await page.context().cookies()).find(({ name }) => name.endsWith("session"));
  const [payload = ""] = decodeURIComponent(cookie?.value ?? "").split(".");
  return (JSON.parse(Buffer.from(payload, "base64").toString("utf8")) as { access: string }).access;
}

export type ApiResponse<T> = { status: number; body: T };

/** A signed-up customer who calls the API with their own token. */
export class Customer {
  constructor(
    readonly site: Site,
    readonly email: string,
    readonly token: string,
  ) {}

  async call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse<T>> {
    const response = await fetch(this.site.origin + path, {
      method,
      headers: {
        "X-Auth-Token": this.token,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, body: (text === "" ? null : JSON.parse(text)) as T };
  }

  async verifyEmail(): Promise<void> {
    const challenge = await this.call<{ challenge_id: string }>("POST", "/api/auth", {
      auth_method: "email",
      credentials: { identifier: this.email },
    });
    expect(challenge.status).toBe(202);
    const code = await readCode(this.site, this.email);
    const verified = await this.call("POST", "/api/auth", {
      credentials: { challenge_id: challenge.body.challenge_id, auth_data: { code } },
    });
    expect(verified.status).toBe(200);
  }

  async passKyc(): Promise<void> {
    const sent = await this.call("POST", "/api/kyc", {
      first_name: "Ada",
      last_name: "Lovelace",
      date_of_birth: "1990-04-30",
      country: "GB",
      document_type: "passport",
      document_number: "AB 1234567",
    });
    expect(sent.status).toBe(202);
    await waitUntil(
      async () => (await this.call<{ status: string }>("GET", "/api/kyc")).body.status === "approved",
      15_000,
      "the reviewer's approval",
    );
  }

  async addAddress(type: "MOB" | "ETH", address: string, label = ""): Promise<DeliveryAddress> {
    const saved = await this.call<DeliveryAddress>("POST", "/api/swap/delivery-addresses", { type, address, label });
    expect([200, 201]).toContain(saved.status);
    return saved.body;
  }

  async createQuote(source: AssetSymbol, sourceAmount: string): Promise<Quote> {
    const quote = await this.call<Quote>("POST", "/api/swap/quotes", {
      source_asset_symbol: source,
      target_asset_symbol: source === "USDT" ? "MOB" : "USDT",
      source_amount: sourceAmount,
    });
    expect(quote.status).toBe(201);
    return quote.body;
  }

  /** Locks a quote. MOB goes to the sandbox's wallet, USDT to `ethAddress`. */
  async lock(source: AssetSymbol, sourceAmount: string, ethAddress: string): Promise<Order> {
    const target = source === "USDT" ? "MOB" : "USDT";
    const mob = await this.addAddress("MOB", (await getMobWallet(this.site)).address, "Sandbox");
    const eth = await this.addAddress("ETH", ethAddress, "Mine");
    const quote = await this.createQuote(source, sourceAmount);
    const [delivery, refund] = target === "MOB" ? [mob, eth] : [eth, mob];
    const order = await this.call<Order>(
      "POST",
      `/api/swap/quotes/${quote.id}/lock`,
      { delivery_address_id: delivery.id, refund_address_id: refund.id },
      { "Idempotency-Key": crypto.randomUUID() },
    );
    expect(order.status).toBe(201);
    return order.body;
  }

  async getOrder(id: string): Promise<Order> {
    return (await this.call<Order>("GET", `/api/swap/swaps/${id}`)).body;
  }

  async newestOrder(): Promise<Order> {
    const { body } = await this.call<{ items: Order[] }>("GET", "/api/swap/swaps?limit=1");
    const [order] = body.items;
    if (!order) throw new Error("This customer has no order.");
    return order;
  }

  async waitForStatus(id: string, ...statuses: Order["status"][]): Promise<Order> {
    let order = await this.getOrder(id);
    await waitUntil(
      async () => {
        order = await this.getOrder(id);
        return statuses.includes(order.status);
      },
      45_000,
      () => `status ${statuses.join(" or ")}; the order is ${order.status}`,
    );
    return order;
  }
}

/** A customer with a passkey (registered in this browser), a verified e-mail address and, by default, approved KYC. */
export async function signUp(page: Page, site: Site, { kyc = true, email = newEmail() } = {}): Promise<Customer> {
  await register(page, email);
  const customer = new Customer(site, email, await readToken(page));
  if (kyc) {
    await customer.verifyEmail();
    await customer.passKyc();
  }
  return customer;
}
