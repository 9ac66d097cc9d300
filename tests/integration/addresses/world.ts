import { accounts } from "~/exchange.server/accounts/tables";
import type { ExchangeConfig } from "~/exchange.server/context";
import { createClock } from "~/exchange.server/db/clock";
import { addressRoutes } from "~/exchange.server/http/addresses";
import type { Caller } from "~/exchange.server/http/env";
import { toErrorAnswer } from "~/exchange.server/http/error-answers";
import { createRouter } from "~/exchange.server/http/router";
import { newId } from "~/exchange.server/ids";
import { createTestContext } from "../../support/context";
import { openTestDatabase, type TestDatabase } from "../../support/test-database";

type Answer = { status: number; body: Record<string, unknown> & { detail?: { message: string; code: string } } };

/** The addresses' routes over a real database; who calls is said by a header instead of a token. */
export async function startAddresses(kind: TestDatabase, config: Partial<ExchangeConfig> = {}) {
  const database = await openTestDatabase(kind);
  let looks = 0;
  const { x } = createTestContext(database, {
    // A millisecond further at each look, so that "newest first" is decided.
    clock: createClock(() => looks++),
    config,
    forbiddenDeliveryAddresses: ["0xdAC17F958D2ee523a2206206994597C13D831ec7"],
  });
  const app = createRouter();
  app.onError((error, c) => toErrorAnswer(c, error, x.log));
  app.use(async (c, next) => {
    c.set("requestId", "test");
    const accountId = c.req.header("X-Test-Account");
    const method = c.req.header("X-Test-Method") === "email" ? "email" : "passkey";
    c.set("caller", accountId === undefined ? null : toCaller(accountId, method));
    await next();
  });
  app.route("/", addressRoutes(x));

  const call = async (
    accountId: string | null,
    method: "GET" | "POST" | "DELETE",
    path: string,
    body?: unknown,
    signedInBy = "passkey",
  ): Promise<Answer> => {
    const headers: Record<string, string> = { "Content-Type": "application/json", "X-Test-Method": signedInBy };
    if (accountId !== null) headers["X-Test-Account"] = accountId;
    const response = await app.request(`/api/swap/delivery-addresses${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : {} };
  };
  return {
    x,
    call,
    async makeAccount(): Promise<string> {
      const id = newId();
      const createdAt = await x.clock.now(x.db);
      await x.db.insert(accounts).values({ id, email: `${id.toLowerCase()}@example.org`, createdAt });
      return id;
    },
    close: () => database.close(),
  };
}

function toCaller(accountId: string, method: Caller["method"]): Caller {
  return {
    accountId,
    sessionId: "session",
    email: "ada@example.org",
    emailVerified: true,
    method,
    passkeyAt: method === "passkey" ? new Date() : null,
    isActive: true,
    isBlocked: false,
    kycStatus: "not_started",
    payoutsWaitUntil: null,
  };
}
