import type { Caller } from "~/exchange.server/accounts/caller";
import type { ExchangeConfig } from "~/exchange.server/context";
import { createClock } from "~/exchange.server/db/clock";
import { accounts, sessions } from "~/exchange.server/db/schema/accounts";
import { addressRoutes } from "~/exchange.server/http/addresses";
import { toErrorResponse } from "~/exchange.server/http/error-responses";
import { createRouter } from "~/exchange.server/http/router";
import { newId } from "~/exchange.server/ids";
import { SharedLimits } from "~/exchange.server/limits/shared-limits";
import { createTestContext } from "../../support/context";
import { openTestDatabase, type TestDatabase } from "../../support/test-database";

type ApiResponse = { status: number; body: Record<string, unknown> & { detail?: { message: string; code: string } } };

/** The address routes over a real database. A header names the caller instead of a token. */
export async function startAddressApi(kind: TestDatabase, config: Partial<ExchangeConfig> = {}) {
  const database = await openTestDatabase(kind);
  let reads = 0;
  const unapproved = new Set<string>();
  const { ctx } = createTestContext(database, {
    // Advances by a millisecond at each read, so that no two rows have the same time.
    clock: createClock(() => reads++),
    config,
    forbiddenDeliveryAddresses: ["0xdAC17F958D2ee523a2206206994597C13D831ec7"],
  });
  const app = createRouter();
  app.onError((error, c) => toErrorResponse(c, error, ctx.log));
  app.use(async (c, next) => {
    c.set("requestId", "test");
    const accountId = c.req.header("X-Test-Account");
    const kycStatus = unapproved.has(accountId ?? "") ? "not_started" : "approved";
    const method = c.req.header("X-Test-Method") === "email" ? "email" : "passkey";
    c.set("caller", accountId === undefined ? null : toCaller(accountId, method, kycStatus));
    await next();
  });
  app.route("/", addressRoutes(ctx, new SharedLimits(ctx.config.secret)));

  const call = async (
    accountId: string | null,
    method: "GET" | "POST" | "DELETE",
    path: string,
    body?: unknown,
    signedInBy = "passkey",
  ): Promise<ApiResponse> => {
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
    ctx,
    call,
    /** Creates an account that is signed in. */
    async makeAccount({ isApproved = true } = {}): Promise<string> {
      const id = newId();
      if (!isApproved) unapproved.add(id);
      const createdAt = await ctx.clock.now(ctx.db);
      await ctx.db.insert(accounts).values({ id, email: `${id.toLowerCase()}@example.org`, createdAt });
      const times = { createdAt, rotatedAt: createdAt, lastUsedAt: createdAt };
      await ctx.db
        .insert(sessions)
        .values({ ...times, id: toSessionId(id), accountId: id, method: "passkey", generation: 0 });
      return id;
    },
    close: () => database.close(),
  };
}

const toSessionId = (accountId: string) => `session of ${accountId}`;

function toCaller(accountId: string, method: Caller["method"], kycStatus: Caller["kycStatus"]): Caller {
  return {
    accountId,
    sessionId: toSessionId(accountId),
    email: "ada@example.org",
    emailVerified: true,
    method,
    signedInAt: new Date(),
    passkeyAt: method === "passkey" ? new Date() : null,
    isActive: true,
    isBlocked: false,
    kycStatus,
    payoutsWaitUntil: null,
    mutedMails: [],
    createdAt: new Date(0),
  };
}
