/** Visitors: those who do it all in the browser, and those whom the API brings to where a test begins. */
import { expect, type Page } from "@playwright/test";
import type { DeliveryAddress, Order, Quote } from "../../../app/api/contract";
import type { AssetSymbol } from "../../../app/lib/assets";
import { getMobWallet, readCode } from "./sandbox";
import { type Site, until } from "./site";

let made = 0;
export function newEmail(name = "ada"): string {
  made += 1;
  return `${name}-${process.pid}-${made}@example.org`;
}

/** In the browser: an address, then the authenticator. Ends on the page that `redirect` names, by default /welcome. */
export async function register(page: Page, email: string): Promise<void> {
  await page.goto("/register");
  await createPasskey(page, email);
}

/** On /register already. */
export async function createPasskey(page: Page, email: string): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await page.waitForURL((url) => url.pathname !== "/register");
}

export async function signOut(page: Page): Promise<void> {
  await page.locator("summary", { hasText: "Menu and account" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/login");
}

/** The session is signed and not encrypted: whoever holds the cookie jar can read the token in it. */
export async function readToken(page: Page): Promise<string> {
  const cookie = (await page.context().cookies()).find(({ name }) => name.endsWith("session"));
  const [payload = ""] = decodeURIComponent(cookie?.value ?? "").split(".");
  return (JSON.parse(Buffer.from(payload, "base64").toString("utf8")) as { access: string }).access;
}

export type Answer<T> = { status: number; body: T };

/** What a script of the customer's own would call. */
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
  ): Promise<Answer<T>> {
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

  async proveEmail(): Promise<void> {
    const asked = await this.call<{ challenge_id: string }>("POST", "/api/auth", {
      auth_method: "email",
      credentials: { identifier: this.email },
    });
    expect(asked.status).toBe(202);
    const code = await readCode(this.site, this.email);
    const proven = await this.call("POST", "/api/auth", {
      credentials: { challenge_id: asked.body.challenge_id, auth_data: { code } },
    });
    expect(proven.status).toBe(200);
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
    await until(
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

  /** A price for so much. */
  async ask(source: AssetSymbol, sourceAmount: string): Promise<Quote> {
    const quote = await this.call<Quote>("POST", "/api/swap/quotes", {
      source_asset_symbol: source,
      target_asset_symbol: source === "USDT" ? "MOB" : "USDT",
      source_amount: sourceAmount,
    });
    expect(quote.status).toBe(201);
    return quote.body;
  }

  /** A locked quote's order, delivered to the sandbox's wallet or to `ethAddress`. */
  async lock(source: AssetSymbol, sourceAmount: string, ethAddress: string): Promise<Order> {
    const target = source === "USDT" ? "MOB" : "USDT";
    const mob = await this.addAddress("MOB", (await getMobWallet(this.site)).address, "Sandbox");
    const eth = await this.addAddress("ETH", ethAddress, "Mine");
    const quote = await this.ask(source, sourceAmount);
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

  async waitForStatus(id: string, ...wanted: Order["status"][]): Promise<Order> {
    let order = await this.getOrder(id);
    await until(
      async () => {
        order = await this.getOrder(id);
        return wanted.includes(order.status);
      },
      45_000,
      () => `${wanted.join(" or ")}; the order is ${order.status}`,
    );
    return order;
  }
}

/** Registered in this browser, the rest through the API: a passkey, a proven address and, unless told otherwise, KYC. */
export async function arrive(page: Page, site: Site, { kyc = true, email = newEmail() } = {}): Promise<Customer> {
  await register(page, email);
  const customer = new Customer(site, email, await readToken(page));
  if (kyc) {
    await customer.proveEmail();
    await customer.passKyc();
  }
  return customer;
}
