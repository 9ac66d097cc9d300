import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eq, sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Order, Status } from "~/api/contract";
import { createClock } from "~/exchange.server/db/clock";
import { type OpenDatabase, openPostgres } from "~/exchange.server/db/open";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { outbox } from "~/exchange.server/db/schema/mail";
import { payments } from "~/exchange.server/db/schema/payments";
import type { Exchange } from "~/exchange.server/exchange";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { type SandboxEthereum, startSandboxEthereum } from "~/sandbox.server/ethereum/start";
import { createSandboxInbox, type SandboxInbox } from "~/sandbox.server/inbox";
import { type SandboxMobilecoin, startSandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { type Bundle, bundle } from "../../support/bundle";
import { createTestPostgres } from "../../support/postgres";
import { type Connections, openProcess, toConnections } from "../../support/process-on-chains";
import { type Account, connect, signUp } from "../../support/sign-up";
import { testConfig } from "../../support/test-config";
import { until } from "../../support/until";
import type { ProcessOptions } from "../kill/exchange-process";

const workerScript = fileURLToPath(new URL("../kill/exchange-process.ts", import.meta.url));
const { origin } = testConfig;
/** Of a visitor; the calls of customers come without a network address. */
const requestsPerMinute = 200;
const limits = { ...testConfig.limits, requestsPerAddressPerMinute: requestsPerMinute };
const receiver = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/** Two `web` processes and, in a process of its own that can be killed, a `worker`. */
describe("two web processes and a worker on one PostgreSQL", { timeout: 120_000 }, () => {
  let dataDir: string;
  let ethereum: SandboxEthereum;
  let mobilecoin: SandboxMobilecoin;
  let connections: Connections;
  let database: OpenDatabase;
  let inbox: SandboxInbox;
  const webs: Exchange[] = [];
  let workerBundle: Bundle;
  let worker: ChildProcess | null = null;
  let customer: Account;
  let order: Order;

  beforeAll(async () => {
    const log = pino({ level: "silent" });
    workerBundle = await bundle(workerScript);
    dataDir = await mkdtemp(join(tmpdir(), "antelope-roles-"));
    ethereum = await startSandboxEthereum({ dataDir, log, blockTimeMs: 200 });
    mobilecoin = await startSandboxMobilecoin({ dataDir: null, log, blockDelayMs: 100 });
    connections = toConnections(await createTestPostgres(), ethereum, mobilecoin);
    database = await openPostgres(connections.databaseUrl, { poolSize: 2 });
    inbox = createSandboxInbox(database.db, createClock());
    for (let i = 0; i < 2; i += 1) {
      const web = await openProcess(connections, { config: { role: "web", limits } });
      webs.push(web);
      await web.workers.start();
    }
  });
  afterAll(async () => {
    worker?.kill("SIGKILL");
    for (const web of webs) {
      await web.workers.stop();
      await web.close();
    }
    await database?.close();
    await workerBundle?.remove();
    await ethereum?.stop();
    await mobilecoin?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const fetchFrom =
    (index: number): Exchange["fetch"] =>
    async (request, env) => {
      const web = webs[index];
      if (!web) throw new Error("not started");
      return web.fetch(request, env);
    };
  const [first, second] = [fetchFrom(0), fetchFrom(1)];
  const readStatuses = () =>
    Promise.all(
      [first, second].map(async (fetch) => (await (await fetch(new Request(`${origin}/api/status`))).json()) as Status),
    );
  const untilStatus = (what: string, isReached: (status: Status) => boolean) =>
    until(what, async () => (await readStatuses()).every(isReached));

  function startWorker(): void {
    const options: ProcessOptions = { ...connections, role: "worker", crashAfter: null };
    worker = spawn(process.execPath, [workerBundle.path], {
      env: { ...process.env, PROCESS_OPTIONS: JSON.stringify(options) },
      stdio: ["ignore", "ignore", "inherit"],
    });
  }

  /** Kills the worker, and lets half a minute pass for what it has written last. */
  async function killWorker(): Promise<void> {
    const killed = worker as ChildProcess;
    killed.kill("SIGKILL");
    await once(killed, "exit");
    await database.db.update(chainStates).set({
      checkedAt: sql`${chainStates.checkedAt} - interval '31 seconds'`,
      walletCheckedAt: sql`${chainStates.walletCheckedAt} - interval '31 seconds'`,
      failedAt: null,
    });
  }

  /** Signs up at the first process, while a worker sends the code and reviews the application. */
  const createCustomer = (email: string): Promise<Account> =>
    signUp(
      {
        origin,
        fetch: first,
        readCode: (to) => until("the code", async () => (await inbox.list(to)).find(({ code }) => code)?.code),
        untilReviewed: (api) => until("the review", async () => (await api.getKyc()).status !== "pending"),
      },
      email,
    );

  /** Opens an event stream of the order. */
  async function openStream(fetch: Exchange["fetch"], token: string) {
    const abort = new AbortController();
    const headers = { "X-Auth-Token": token };
    const request = new Request(`${origin}/api/swap/swaps/${order.id}/events`, { headers, signal: abort.signal });
    const { status, body } = await fetch(request);
    return { status, reader: body?.getReader(), close: () => abort.abort() };
  }

  it("do not accept swaps or send e-mails before a worker runs", async () => {
    expect(await readStatuses()).toMatchObject([
      { accepting_swaps: false, reason: "not_running" },
      { accepting_swaps: false, reason: "not_running" },
    ]);
    await connect({ origin, fetch: first }, null).requestEmailCode("early@example.org");
    // In this time, a process that sends e-mails would have sent it.
    for (let i = 0; i < 50; i += 1) await readStatuses();
    expect(await database.db.select({ attempts: outbox.attempts }).from(outbox)).toEqual([{ attempts: 0 }]);
    expect(await database.db.select().from(chainStates)).toEqual([]);

    startWorker();
    await untilStatus("both accept swaps", ({ accepting_swaps }) => accepting_swaps);
    await until("the e-mail", async () => (await inbox.list("early@example.org")).length === 1);
  });

  it("T46 carry an order from its lock in one process to its payout by the worker", async () => {
    customer = await createCustomer("ada@example.org");
    const { api } = customer;
    const delivery = await api.addAddress({ type: "ETH", address: receiver, label: "" });
    const refund = await api.addAddress({ type: "MOB", address: mobilecoin.wallet().address, label: "" });
    const quote = await api.createQuote({
      source_asset_symbol: "MOB",
      target_asset_symbol: "USDT",
      source_amount: "100",
    });
    // The other process locks what the first one has quoted.
    const request = { delivery_address_id: delivery.id, refund_address_id: refund.id };
    order = await connect({ origin, fetch: second }, customer.tokens.access_token).lockQuote(
      quote.id,
      request,
      randomUUID(),
    );
    await mobilecoin.pay({ address: order.funding_address, amount: 100n * 10n ** 12n });
    const { id } = order;
    await until("the payout", async () => (await api.getOrder(id)).status === "completed");
    const paid = await database.db.select().from(payments).where(eq(payments.orderId, id));
    expect(paid.map(({ purpose, status }) => [purpose, status])).toEqual([["payout", "confirmed"]]);
    expect(await checkBooks(database.db)).toEqual([]);
  });

  it("T12 T16 end a stream in one process when its session is revoked in the other", async () => {
    const { access_token: token } = customer.tokens;
    const { reader } = await openStream(first, token);
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("event: order");
    await connect({ origin, fetch: second }, token).signOut();
    expect(await reader?.read()).toEqual({ done: true, value: undefined });
  });

  it("T14 count what a visitor uses up in the other process", async () => {
    const requestAssets = async (fetch: Exchange["fetch"], remoteAddress: string) =>
      (await fetch(new Request(`${origin}/api/swap/assets`), { remoteAddress })).status;
    for (let i = 0; i < requestsPerMinute; i += 1) expect(await requestAssets(first, "192.0.2.7")).toBe(200);
    let tries = 0;
    // Far too few to use up the limit in this process alone.
    await until("the refusal", async () => {
      tries += 1;
      return (await requestAssets(second, "192.0.2.7")) === 429;
    });
    expect(tries).toBeLessThan(requestsPerMinute);
    expect(await requestAssets(second, "192.0.2.8")).toBe(200);
  });

  it("T16 count the streams of an account in the other process", async () => {
    const api = connect({ origin, fetch: first }, null);
    const { challenge_id, challenge } = await api.startPasskeySignIn();
    const { access_token: token } = await api.finishPasskeySignIn(challenge_id, {
      ...customer.authenticator.get(challenge as never),
    });
    const streams = await Promise.all(Array.from({ length: 4 }, () => openStream(first, token)));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const isRefused = async () => {
      const { status, close } = await openStream(second, token);
      close();
      return status === 429;
    };
    await until("the refusal", isRefused);
    for (const { close } of streams) close();
    await until("a place", async () => !(await isRefused()));
  });

  it("stop accepting swaps when the worker is killed, and accept them when another one runs", async () => {
    await killWorker();
    expect(await readStatuses()).toMatchObject([
      { accepting_swaps: false, reason: "not_running" },
      { accepting_swaps: false, reason: "not_running" },
    ]);
    startWorker();
    await untilStatus("both accept swaps", ({ accepting_swaps }) => accepting_swaps);
  });
});
