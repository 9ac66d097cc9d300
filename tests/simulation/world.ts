import { randomBytes } from "node:crypto";
import { and, eq, isNotNull } from "drizzle-orm";
import pino from "pino";
import { custom, getAddress, keccak256, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createEthereumGateway } from "../../app/exchange.server/chains/ethereum/gateway";
import { createMobilecoinGateway } from "../../app/exchange.server/chains/mobilecoin/gateway";
import type { ExchangeConfig, ExchangeContext } from "../../app/exchange.server/context";
import { accounts } from "../../app/exchange.server/db/schema/accounts";
import { deliveryAddresses } from "../../app/exchange.server/db/schema/addresses";
import { kycApplications } from "../../app/exchange.server/db/schema/kyc";
import { orders } from "../../app/exchange.server/db/schema/orders";
import { payments } from "../../app/exchange.server/db/schema/payments";
import { checkWallet } from "../../app/exchange.server/deposits/check-wallet";
import { scanChain } from "../../app/exchange.server/deposits/scan";
import { newId } from "../../app/exchange.server/ids";
import { applyKycDecision } from "../../app/exchange.server/kyc/decide";
import { recordOpeningBalances } from "../../app/exchange.server/ledger/open-books";
import { expireOrders, refundOverdue, releaseStaleReserves } from "../../app/exchange.server/orders/deadlines";
import { holdOrdersOf, holdOrdersOfBarredOwners, releaseOrdersOf } from "../../app/exchange.server/orders/hold";
import { identityWithdrawn } from "../../app/exchange.server/orders/owner-check";
import { runPayments } from "../../app/exchange.server/payments/run-payments";
import { expireQuotes, type QuoteRow } from "../../app/exchange.server/pricing/quotes";
import { refreshRate } from "../../app/exchange.server/pricing/rates";
import { makeSandboxXpub, payoutPrivateKey } from "../../app/sandbox.server/ethereum/sandbox-keys";
import { createAccountKeys } from "../../app/sandbox.server/mobilecoin/keys";
import { noKyc } from "../support/context";
import { testConfig } from "../support/test-config";
import type { Backup, SimulatedDatabase } from "./database";
import { createEthereumChain } from "./ethereum-chain";
import { createMobilecoinSimulation } from "./mobilecoin-wallet";
import { type Disturbance, disturb } from "./process";

const chainId = 11155111;
const token = getAddress("0x1111111111111111111111111111111111111111");
const startMs = Date.UTC(2026, 0, 1);
const config: ExchangeConfig = { ...testConfig, rateMaxAgeMs: 5 * 60_000 };

/** Customers' MobileCoin addresses: each costs milliseconds to derive, and their owners do not matter. */
const mobileCoinAddresses: string[] = [];
function getMobAddress(index: number): string {
  const customers = createAccountKeys("customers of the simulation");
  while (mobileCoinAddresses.length <= index) {
    mobileCoinAddresses.push(customers.toAddress(BigInt(mobileCoinAddresses.length + 2)));
  }
  return mobileCoinAddresses[index] as string;
}

export type Customer = { accountId: string; eth: `0x${string}`; mob: string; ids: { ETH: string; MOB: string } };

export const jobNames = ["scan-usdt", "scan-mob", "pay-usdt", "pay-mob", "deadlines", "wallets", "rates"] as const;
export type JobName = (typeof jobNames)[number];

/**
 * One exchange of two processes over one database, with the production gateways, on
 * simulated networks. Everything that the exchange can observe comes from here: time, ids,
 * rates, blocks and failures.
 */
export async function createWorld(database: SimulatedDatabase) {
  database.empty();
  let nowMs = startMs;
  let rate = 350_000_000_000n;
  let isFeedDown = false;
  let feed = { rate, at: startMs };
  const now = () => nowMs;
  const signer = privateKeyToAccount(payoutPrivateKey).address;
  const ethereum = createEthereumChain({ chainId, token, signer, nodes: 3, now });
  ethereum.fund(signer, 1_000_000_000_000n);
  const mobilecoin = await createMobilecoinSimulation("simulation");
  const log = pino({ level: "silent" });

  const createProcess = (): ExchangeContext => ({
    db: database.db,
    clock: { now: async () => new Date(nowMs) },
    log,
    config,
    mail: { send: async () => undefined },
    kyc: noKyc,
    rateSource: {
      getRate: async () => {
        if (isFeedDown) throw new Error("no feed answers");
        feed = { rate, at: nowMs };
        return { rate, at: new Date(nowMs) };
      },
    },
    forbiddenDeliveryAddresses: [],
    chains: {
      USDT: createEthereumGateway({
        rpcUrls: ["0", "1", "2"],
        chainId,
        usdtAddress: token,
        xpub: makeSandboxXpub(),
        payoutPrivateKey,
        requiredConfirmations: 3,
        log,
        now,
        toTransport: (url) => custom(ethereum.nodes[Number(url)] as never, { retryCount: 0 }),
      }),
      MOB: createMobilecoinGateway({
        url: "http://mobilecoin.invalid/wallet/v2",
        accountId: mobilecoin.accountId,
        expectedChainId: "sandbox",
        log,
        timeoutMs: 10_000,
        fetch: mobilecoin.fetch,
        now,
      }),
    },
  });
  const processes: [ExchangeContext, ExchangeContext] = [createProcess(), createProcess()];
  const [first] = processes;
  await recordOpeningBalances(first);
  await refreshRate(first);

  const jobs: Record<JobName, (ctx: ExchangeContext) => Promise<unknown>> = {
    "scan-usdt": (ctx) => scanChain(ctx, "USDT"),
    "scan-mob": (ctx) => scanChain(ctx, "MOB"),
    "pay-usdt": (ctx) => runPayments(ctx, "USDT"),
    "pay-mob": (ctx) => runPayments(ctx, "MOB"),
    deadlines: async (ctx) => {
      await expireQuotes(ctx);
      await expireOrders(ctx);
      await refundOverdue(ctx);
      await releaseStaleReserves(ctx);
      await holdOrdersOfBarredOwners(ctx);
    },
    rates: refreshRate,
    wallets: async (ctx) => {
      await checkWallet(ctx, "USDT");
      await checkWallet(ctx, "MOB");
    },
  };

  let customers = 0;
  let decisions = 0;
  let backup: Backup | null = null;
  const barred = new Map<string, Set<string>>();
  return {
    database,
    ethereum,
    mobilecoin,
    processes,
    now,
    signer,
    advance(ms: number) {
      nowMs += ms;
    },
    setRate(next: bigint) {
      rate = next;
    },
    setFeedDown(down: boolean) {
      isFeedDown = down;
    },
    /** The rate that the exchange knows, and its age. */
    getFeed: () => ({ rate: feed.rate, ageMs: nowMs - feed.at }),
    /** The last offer of each order, by order. */
    offers: new Map<string, QuoteRow>(),
    /** Accounts that may not swap, and their payouts that were signed before that. */
    barred,
    /** Orders from before a restored backup. */
    restored: new Map<string, "known" | "forgotten">(),
    backUp() {
      backup = database.backUp();
    },
    /** Goes back to the last backup in new processes. False if there is none. */
    restoreBackup(): boolean {
      if (!backup) return false;
      database.restore(backup);
      processes[0] = createProcess();
      processes[1] = createProcess();
      return true;
    },
    /** The reviewer's decision about a customer. */
    async decideIdentity({ accountId }: Customer, status: "approved" | "rejected"): Promise<void> {
      const [ctx] = processes;
      const decidedAt = new Date(nowMs + decisions++);
      await applyKycDecision(ctx, accountId, { status, reasons: [], decidedAt }, (tx, id, approved) =>
        (approved ? releaseOrdersOf : holdOrdersOf)(tx, ctx, id, identityWithdrawn),
      );
      barred.delete(accountId);
      if (status === "approved") return;
      const signed = await database.db
        .select({ id: payments.id })
        .from(payments)
        .innerJoin(orders, eq(orders.id, payments.orderId))
        .where(and(eq(orders.accountId, accountId), isNotNull(payments.hash)));
      barred.set(accountId, new Set(signed.map(({ id }) => id)));
    },
    /** Runs one job in one process. A job that fails is tried again at its next turn, as in production. */
    async runJob(process: 0 | 1, name: JobName, disturbance: Disturbance = {}): Promise<Error | null> {
      try {
        await jobs[name](disturb(processes[process], disturbance));
        return null;
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error));
      }
    },
    async createCustomer(): Promise<Customer> {
      const index = customers++;
      const accountId = newId();
      const at = new Date(nowMs);
      const eth = getAddress(`0x${keccak256(toHex(`customer ${index}`)).slice(2, 42)}`);
      const mob = getMobAddress(index);
      await database.db.insert(accounts).values({
        id: accountId,
        email: `${accountId.toLowerCase()}@example.org`,
        emailVerifiedAt: at,
        kycStatus: "approved",
        createdAt: at,
      });
      await database.db.insert(kycApplications).values({
        id: accountId,
        accountId,
        status: "approved",
        reasons: [],
        details: "",
        provider: noKyc.name,
        createdAt: at,
        submittedAt: at,
        decidedAt: new Date(nowMs - 1),
        updatedAt: at,
      });
      const ids = { ETH: newId(), MOB: newId() };
      await database.db.insert(deliveryAddresses).values([
        { id: ids.ETH, accountId, type: "ETH", address: eth, canonical: eth.toLowerCase(), label: "", createdAt: at },
        { id: ids.MOB, accountId, type: "MOB", address: mob, canonical: mob, label: "", createdAt: at },
      ]);
      return { accountId, eth, mob, ids };
    },
    newKey: () => randomBytes(8).toString("hex"),
    stop: () => mobilecoin.stop(),
  };
}

export type World = Awaited<ReturnType<typeof createWorld>>;
