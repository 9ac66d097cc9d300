import { randomBytes } from "node:crypto";
import { and, eq, isNotNull } from "drizzle-orm";
import pino from "pino";
import { custom, getAddress, keccak256, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createEthereumGateway } from "~/exchange.server/chains/ethereum/gateway";
import { createMobilecoinGateway } from "~/exchange.server/chains/mobilecoin/gateway";
import type { ExchangeConfig, RunningContext } from "~/exchange.server/context";
import { accounts } from "~/exchange.server/db/schema/accounts";
import { deliveryAddresses } from "~/exchange.server/db/schema/addresses";
import { walletHistories } from "~/exchange.server/db/schema/history";
import { kycApplications } from "~/exchange.server/db/schema/kyc";
import { orders } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import type { QuoteRow } from "~/exchange.server/db/schema/quotes";
import { scanChain } from "~/exchange.server/deposits/scan";
import { readSystemsOnce } from "~/exchange.server/exchange";
import { newId } from "~/exchange.server/ids";
import { takeDueSteps } from "~/exchange.server/jobs/due-steps";
import { applyKycDecision } from "~/exchange.server/kyc/apply-decision";
import { checkWallet } from "~/exchange.server/payments/check-wallet";
import { checkHistory } from "~/exchange.server/payments/history/check-history";
import { refreshRate } from "~/exchange.server/pricing/rates";
import { dayMs } from "~/lib/durations";
import { makeSandboxXpub, payoutPrivateKey } from "~/sandbox.server/ethereum/sandbox-keys";
import { createAccountKeys } from "~/sandbox.server/mobilecoin/keys";
import { noKyc } from "../support/context";
import { openTestSession } from "../support/open-test-session";
import { payIfDue } from "../support/pay-if-due";
import { testConfig } from "../support/test-config";
import type { Backup, SimulatedDatabase } from "./database";
import { createEthereumChain } from "./ethereum-chain";
import { createMobilecoinSimulation } from "./mobilecoin-wallet";
import { type Disturbance, disturb } from "./process";

const chainId = 11155111;
const token = getAddress("0x1111111111111111111111111111111111111111");
const startMs = Date.UTC(2026, 0, 1);
const config: ExchangeConfig = { ...testConfig, rateMaxAgeMs: 5 * 60_000 };

const xpub = makeSandboxXpub();
const signer = privateKeyToAccount(payoutPrivateKey).address;

/** Customers' MobileCoin addresses: each costs milliseconds to derive, and their owners do not matter. */
const customerKeys = createAccountKeys("customers of the simulation");
const mobileCoinAddresses = new Map<number, string>();
function getMobAddress(index: number): string {
  const known = mobileCoinAddresses.get(index) ?? customerKeys.toAddress(BigInt(index + 2));
  mobileCoinAddresses.set(index, known);
  return known;
}

export type Customer = {
  accountId: string;
  sessionId: string;
  eth: `0x${string}`;
  mob: string;
  ids: { ETH: string; MOB: string };
  /** Addresses that an operator may send a parked payment to instead. */
  spare: { eth: `0x${string}`; mob: string };
};

export const jobNames = [
  "scan-usdt",
  "scan-mob",
  "pay-usdt",
  "pay-mob",
  "due-steps",
  "wallets",
  "rates",
  "history",
] as const;
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
  /** What the feed said and when. */
  const feed: { rate: bigint; at: number }[] = [];
  const now = () => nowMs;
  const ethereum = createEthereumChain({ chainId, token, signer, nodes: 3, now });
  ethereum.fund(signer, 1_000_000_000_000n);
  const mobilecoin = await createMobilecoinSimulation("simulation");
  const log = pino({ level: "silent" });

  const createProcess = (): RunningContext => ({
    db: database.db,
    clock: { now: async () => new Date(nowMs) },
    log,
    config,
    mail: { send: async () => undefined },
    kyc: noKyc,
    rateSource: {
      getRate: async () => {
        if (isFeedDown) throw new Error("no feed responds");
        feed.push({ rate, at: nowMs });
        return { rate, at: new Date(nowMs) };
      },
    },
    forbiddenDeliveryAddresses: [],
    chains: {
      USDT: createEthereumGateway({
        rpcUrls: ["0", "1", "2"],
        chainId,
        usdtAddress: token,
        xpub,
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
        fogServers: null,
        requiredConfirmations: 1,
        log,
        timeoutMs: 10_000,
        fetch: mobilecoin.fetch,
        now,
      }),
    },
  });
  const processes: [RunningContext, RunningContext] = [createProcess(), createProcess()];

  const jobs: Record<JobName, (ctx: RunningContext) => Promise<unknown>> = {
    "scan-usdt": (ctx) => scanChain(ctx, "USDT"),
    "scan-mob": (ctx) => scanChain(ctx, "MOB"),
    "pay-usdt": (ctx) => payIfDue(ctx, "USDT"),
    "pay-mob": (ctx) => payIfDue(ctx, "MOB"),
    "due-steps": takeDueSteps,
    rates: refreshRate,
    history: async (ctx) => {
      await checkHistory(ctx, "USDT", { isThorough: false });
      await checkHistory(ctx, "MOB", { isThorough: false });
    },
    wallets: async (ctx) => {
      await checkWallet(ctx, "USDT");
      await checkWallet(ctx, "MOB");
    },
  };

  let refreshedAt = 0;
  let customers = 0;
  let decisions = 0;
  let backup: Backup | null = null;
  let isStarted = false;
  const ineligible = new Map<string, Set<string>>();
  /** Starts the exchange as `npm start` does. One that cannot start is started again at its next turn. */
  const start = async (): Promise<Error | null> => {
    if (isStarted) return null;
    const error = await attempt(() => readSystemsOnce(processes[0]));
    isStarted = error === null;
    refreshedAt = nowMs;
    return error;
  };
  const failed = await start();
  if (failed) throw failed;
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
    feed,
    /** The last offer of each order, by order. */
    offers: new Map<string, QuoteRow>(),
    /** Accounts that may not swap, and the payouts to them that were signed earlier. */
    ineligible,
    /** Orders placed before a backup was restored, and whether the restored database has them. */
    restored: new Map<string, "known" | "forgotten">(),
    start,
    backUp() {
      backup = database.backUp();
    },
    /** Restores the last backup, as a dump, for new processes, which takes a minute. False if there is none. */
    async restoreBackup(): Promise<boolean> {
      if (!backup) return false;
      database.restore(backup);
      nowMs += 60_000;
      // As after a real restore, the server or the tables differ from those recorded in the backup.
      await database.db.update(walletHistories).set({ databaseId: "another" });
      isStarted = false;
      processes[0] = createProcess();
      processes[1] = createProcess();
      return true;
    },
    /** The reviewer's decision about a customer. */
    async decideIdentity({ accountId }: Customer, status: "approved" | "rejected"): Promise<void> {
      const [ctx] = processes;
      const decidedAt = new Date(nowMs + decisions++);
      await applyKycDecision(ctx, accountId, { status, reasons: [], decidedAt });
      ineligible.delete(accountId);
      if (status === "approved") return;
      const signed = await database.db
        .select({ id: payments.id })
        .from(payments)
        .innerJoin(orders, eq(orders.id, payments.orderId))
        .where(and(eq(orders.accountId, accountId), isNotNull(payments.hash)));
      ineligible.set(accountId, new Set(signed.map(({ id }) => id)));
    },
    /** Runs one job in one process. A job that fails is tried again at its next turn, as in production. */
    async runJob(process: 0 | 1, name: JobName, disturbance: Disturbance = {}): Promise<Error | null> {
      return (await start()) ?? attempt(() => jobs[name](disturb(processes[process], disturbance)));
    },
    /** Reads the wallets, the chains and the rate, unless that was just done. */
    async refresh(): Promise<void> {
      if (nowMs - refreshedAt < 15_000) return;
      refreshedAt = nowMs;
      for (const job of ["wallets", "scan-usdt", "scan-mob", "rates"] as const) await this.runJob(0, job);
    },
    async createCustomer(): Promise<Customer> {
      const index = customers++;
      const accountId = newId();
      const at = new Date(nowMs);
      const toEth = (name: string) => getAddress(`0x${keccak256(toHex(name)).slice(2, 42)}`);
      const eth = toEth(`customer ${index}`);
      const mob = getMobAddress(2 * index);
      const spare = { eth: toEth(`spare ${index}`), mob: getMobAddress(2 * index + 1) };
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
      // Long ago: payments to another address wait until it has been saved for a day.
      const savedAt = new Date(nowMs - 2 * dayMs);
      const save = (id: string, type: "ETH" | "MOB", address: string) => {
        const canonical = type === "ETH" ? address.toLowerCase() : address;
        return { id, accountId, type, address, canonical, label: "", createdAt: savedAt };
      };
      await database.db
        .insert(deliveryAddresses)
        .values([
          save(ids.ETH, "ETH", eth),
          save(ids.MOB, "MOB", mob),
          save(newId(), "ETH", spare.eth),
          save(newId(), "MOB", spare.mob),
        ]);
      const sessionId = await openTestSession(database.db, accountId, at);
      return { accountId, sessionId, eth, mob, ids, spare };
    },
    newKey: () => randomBytes(8).toString("hex"),
    stop: () => mobilecoin.stop(),
  };
}

async function attempt(work: () => Promise<unknown>): Promise<Error | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export type World = Awaited<ReturnType<typeof createWorld>>;
