import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "pino";
import { openJournal } from "./journal";
import { mainSubaddress, toPointHex } from "./keys";
import type { Account, Entry, TxOut } from "./ledger";
import { createMethods } from "./methods";
import { createNetwork, type Network } from "./network";
import { createPayer } from "./payer";
import type { SubmitFault } from "./payments";
import { RpcError } from "./rpc-error";
import { listen } from "./server";
import type { View } from "./shapes";
import { getBalance } from "./wallet";

export type SandboxMobilecoin = {
  /** Where the wallet's API answers. */
  url: string;
  /** The exchange's account in it. */
  accountId: string;
  chainId: string;
  /** Pays from the tester's wallet; resolves when the payment is in a block. Amounts in pico-MOB. */
  pay(payment: { address: string; amount: bigint }): Promise<{ hash: string; blockIndex: number }>;
  /** The tester's wallet; what it received, newest first. */
  wallet(): { address: string; balance: bigint; received: { amount: bigint; at: Date; hash: string }[] };
  controls: SandboxControls;
  stop(): Promise<void>;
};

/** For tests: what can go wrong on a real network, at will. */
type SandboxControls = {
  holdBlocks(held: boolean): void;
  /** Blocks at once: what waits lands in the first, the others hold an output of nobody's. */
  makeBlocks(count: number): Promise<void>;
  /** An output out of nowhere, in a block of its own: another token, dust, a huge amount. */
  mint(output: { address: string; amount: bigint; tokenId?: string }): Promise<void>;
  setSynced(synced: boolean): void;
  /** While resyncing every call errors (fact 46). */
  setResyncing(resyncing: boolean): void;
  /** What the next submissions do, in turn. */
  faultSubmit(...faults: SubmitFault[]): void;
  /** The next call of a method answers with this `server_error`. */
  failNext(method: string, serverError: string): void;
  getHeight(): number;
};

const mob = 10n ** 12n;
/** In pieces, so that a payment need not wait for the change of the one before (fact 42); 16 can go into one. */
const floats = { exchange: { pieces: 16, each: 62_500n * mob }, tester: { pieces: 16, each: 6_250n * mob } };

/**
 * The sandbox's MobileCoin: a network and a full-service wallet in one, spoken to over HTTP
 * by the same client that speaks to the real one. Its ledger is kept in `dataDir` (nowhere
 * when null). The exchange's account begins with 1,000,000 MOB, the tester's with 100,000.
 */
export async function startSandboxMobilecoin(options: {
  dataDir: string | null;
  log: Logger;
  port?: number;
  blockDelayMs?: number;
  apiKey?: string;
}): Promise<SandboxMobilecoin> {
  const { log } = options;
  const journal = await openJournal<Entry>(options.dataDir && join(options.dataDir, "mobilecoin", "ledger.jsonl"));
  const network = createNetwork(journal, options.blockDelayMs ?? 1000, (error) =>
    log.error({ err: error }, "sandbox MobileCoin could not make a block"),
  );
  await openLedger(network);
  const [exchange, tester] = [...network.ledger.accounts.values()];
  if (!exchange || !tester) throw new Error("The sandbox's MobileCoin ledger is damaged; remove it to begin anew.");

  const view: View = { chainId: "sandbox", synced: true, sealKey: exchange.id };
  const submitFaults: SubmitFault[] = [];
  const failures = new Map<string, string>();
  let resyncing = false;
  const methods: Partial<Record<string, (params: unknown) => unknown>> = createMethods(network, view, () =>
    submitFaults.shift(),
  );
  const server = await listen({
    port: options.port ?? 0,
    apiKey: options.apiKey ?? null,
    log,
    answer(method) {
      if (resyncing) throw new RpcError("Resync", "Resync in progress, please wait ... (42% complete)");
      const failure = failures.get(method);
      if (failure !== undefined) {
        failures.delete(method);
        throw new RpcError(failure, "Failed for a test");
      }
      return Object.hasOwn(methods, method) ? methods[method] : undefined;
    },
  });

  return {
    url: `http://127.0.0.1:${server.port}/wallet/v2`,
    accountId: exchange.id,
    chainId: view.chainId,
    pay: createPayer(network, tester),
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

/** Both accounts, and the first block with their floats, where a start before has not made them. */
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
  const toFloat = (account: Account | undefined, float: { pieces: number; each: bigint }) =>
    Array.from({ length: float.pieces }, () => toOutput(mainAddress(account), float.each, "0"));
  await network.makeBlock([...toFloat(exchange, floats.exchange), ...toFloat(tester, floats.tester)]);
}

function toWallet(network: Network, account: Account) {
  const balance = getBalance(network.ledger, account);
  return {
    address: mainAddress(account),
    balance: balance.unspent + balance.pending,
    received: account.txos
      .filter((txo) => txo.subaddressIndex === mainSubaddress && txo.tokenId === "0" && txo.receivedBlockIndex > 0)
      .map((txo) => ({ amount: txo.value, at: txo.receivedAt, hash: txo.publicKey }))
      .reverse(),
  };
}

function mainAddress(account: Account | undefined): string {
  const address = account?.addresses.get(mainSubaddress);
  if (!address) throw new Error("the account has no main address");
  return address.b58;
}

function toOutput(recipient: string, amount: bigint, tokenId: string): TxOut {
  const publicKey = toPointHex("minted", randomBytes(32).toString("hex"));
  return { publicKey, value: amount.toString(), tokenId, recipient, sender: null };
}
