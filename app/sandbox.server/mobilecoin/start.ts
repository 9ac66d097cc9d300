import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "pino";
import { sandboxNetworks } from "../../lib/constants";
import { openJournal } from "./journal";
import { changeSubaddress, mainSubaddress, toPointHex } from "./keys";
import type { Account, Entry, TxOut } from "./ledger";
import { createMethods } from "./methods";
import { createNetwork, type Network } from "./network";
import { createPayer } from "./payer";
import type { SubmitFault } from "./payments";
import { RpcError } from "./rpc-error";
import { listen } from "./server";
import type { View } from "./shapes";
import { getBalance, minimumFee } from "./wallet";

export type SandboxMobilecoin = {
  /** The URL of the wallet's API. */
  url: string;
  /** The exchange's account in the wallet. */
  accountId: string;
  /** The main address of that account. */
  mainAddress: string;
  chainId: string;
  /** Pays pico-MOB from the tester's wallet. Resolves when the payment is in a block. Visitors take turns. */
  pay(payment: { address: string; amount: bigint }, visitor?: string): Promise<{ hash: string; blockIndex: number }>;
  /** The tester's wallet, with the last payments that it received, newest first. */
  wallet(): { address: string; balance: bigint; received: { amount: bigint; at: Date; hash: string }[] };
  controls: SandboxControls;
  stop(): Promise<void>;
};

/** For tests: causes failures that can happen on a real network. */
type SandboxControls = {
  holdBlocks(held: boolean): void;
  /** Makes blocks now. The first contains the pending transactions, the others an output without an owner. */
  makeBlocks(count: number): Promise<void>;
  /** Mints an output in a separate block, such as another token, dust or a huge amount. */
  mint(output: { address: string; amount: bigint; tokenId?: string }): Promise<void>;
  setSynced(synced: boolean): void;
  /** Imports the exchange's account again from its seed, so that the wallet forgets the addresses it has assigned. */
  restoreWallet(): Promise<void>;
  /** The accounts have scanned this many blocks, or all of them (null). */
  setScanned(blocks: number | null): void;
  /** While resyncing, every call fails. */
  setResyncing(resyncing: boolean): void;
  /** How the next submissions fail, in order. */
  faultSubmit(...faults: SubmitFault[]): void;
  /** The next call of a method fails with this `server_error`. */
  failNext(method: string, serverError: string): void;
  getHeight(): number;
};

const mob = 10n ** 12n;
/**
 * Initial balances in several txos, so that a payment need not wait for the change of the previous one. A transaction
 * has at most 16 inputs.
 */
const initialBalances = { exchange: { txos: 16, each: 62_500n * mob }, tester: { txos: 16, each: 6_250n * mob } };

/**
 * Starts the sandbox's MobileCoin: a network and a full-service wallet in one, which the exchange
 * uses over HTTP with its production client. The ledger is stored in `dataDir`, or in memory if that
 * is null. The exchange's account starts with 1,000,000 MOB and the tester's with 100,000 MOB.
 */
export async function startSandboxMobilecoin(options: {
  dataDir: string | null;
  log: Logger;
  blockDelayMs: number;
  apiKey?: string;
}): Promise<SandboxMobilecoin> {
  const { log, blockDelayMs } = options;
  const journal = await openJournal<Entry>(options.dataDir && join(options.dataDir, "mobilecoin", "ledger.jsonl"));
  const network = createNetwork(journal, blockDelayMs, (error) =>
    log.error({ err: error }, "the sandbox's MobileCoin could not make a block"),
  );
  await openLedger(network);
  const [exchange, tester] = [...network.ledger.accounts.values()];
  if (!exchange || !tester)
    throw new Error(
      "The sandbox's MobileCoin ledger is damaged. Delete mobilecoin/ledger.jsonl in DATA_DIR to start a new one.",
    );

  const view: View = { chainId: sandboxNetworks.MOB, synced: true, sealKey: exchange.id, scanned: null };
  const submitFaults: SubmitFault[] = [];
  const failures = new Map<string, string>();
  let resyncing = false;
  const methods: Partial<Record<string, (params: unknown) => unknown>> = createMethods(network, view, () =>
    submitFaults.shift(),
  );
  const server = await listen({
    apiKey: options.apiKey ?? null,
    log,
    findMethod(method) {
      if (resyncing) throw new RpcError("Resync", "Resync in progress, please wait ... (42% complete)");
      const failure = failures.get(method);
      if (failure !== undefined) {
        failures.delete(method);
        throw new RpcError(failure, "Failed on request of a test");
      }
      return Object.hasOwn(methods, method) ? methods[method] : undefined;
    },
  });

  return {
    url: `http://127.0.0.1:${server.port}/wallet/v2`,
    accountId: exchange.id,
    mainAddress: getMainAddress(exchange),
    chainId: view.chainId,
    pay: createPayer(network, tester, () => refillTester(network, tester)),
    wallet: () => toWallet(network, tester),
    controls: {
      holdBlocks: (held) => network.hold(held),
      async makeBlocks(count) {
        for (let made = 0; made < count; made += 1) await network.makeBlock([toOutput("nobody", 1n, "0")]);
      },
      mint: ({ address, amount, tokenId }) => network.makeBlock([toOutput(address, amount, tokenId ?? "0")]),
      setSynced(synced) {
        view.synced = synced;
      },
      restoreWallet: () => network.change((commit) => commit([{ kind: "restored", accountId: exchange.id }])),
      setScanned(blocks) {
        view.scanned = blocks;
      },
      setResyncing(value) {
        resyncing = value;
      },
      faultSubmit: (...faults) => void submitFaults.push(...faults),
      failNext: (method, serverError) => void failures.set(method, serverError),
      getHeight: () => network.ledger.height,
    },
    async stop() {
      await server.close();
      await network.stop();
    },
  };
}

/** Creates both accounts and the first block with their initial balances, unless an earlier start has done so. */
async function openLedger(network: Network): Promise<void> {
  if (network.ledger.accounts.size === 0) {
    const seed = randomBytes(32).toString("hex");
    await network.change((commit) =>
      commit([
        { kind: "opened", version: 1, at: new Date().toISOString() },
        { kind: "account", seed: `exchange:${seed}`, name: "Exchange" },
        { kind: "account", seed: `tester:${seed}`, name: "Tester" },
      ]),
    );
  }
  if (network.ledger.height > 0) return;
  const [exchange, tester] = [...network.ledger.accounts.values()];
  await network.makeBlock([
    ...toOutputs(getMainAddress(exchange), initialBalances.exchange),
    ...toOutputs(getMainAddress(tester), initialBalances.tester),
  ]);
}

/**
 * Adds the initial balance to the tester's wallet if one payment can't send that much: a visitor may have spent it, or
 * the rest may be in many small txos. The coins arrive at the address for change, because the wallet lists those at
 * its main address as received.
 */
async function refillTester(network: Network, tester: Account): Promise<boolean> {
  const { txos, each } = initialBalances.tester;
  if (getBalance(network.ledger, tester).maxSpendable >= BigInt(txos) * each - minimumFee) return false;
  await network.makeBlock(toOutputs(tester.keys.toAddress(changeSubaddress), initialBalances.tester));
  return true;
}

function toOutputs(address: string, { txos, each }: { txos: number; each: bigint }): TxOut[] {
  return Array.from({ length: txos }, () => toOutput(address, each, "0"));
}

/** The wallet is public: anyone can pay it, any number of times. */
const receivedShown = 500;

function toWallet(network: Network, account: Account) {
  const balance = getBalance(network.ledger, account);
  return {
    address: getMainAddress(account),
    balance: balance.unspent + balance.pending,
    received: account.txos
      .filter((txo) => txo.subaddressIndex === mainSubaddress && txo.tokenId === "0" && txo.receivedBlockIndex > 0)
      .slice(-receivedShown)
      .map((txo) => ({ amount: txo.value, at: txo.receivedAt, hash: txo.publicKey }))
      .reverse(),
  };
}

function getMainAddress(account: Account | undefined): string {
  const address = account?.addresses.get(mainSubaddress);
  if (!address) throw new Error("the account has no main address");
  return address.b58;
}

function toOutput(recipient: string, amount: bigint, tokenId: string): TxOut {
  const publicKey = toPointHex("minted", randomBytes(32).toString("hex"));
  return { publicKey, value: amount.toString(), tokenId, recipient, sender: null };
}
