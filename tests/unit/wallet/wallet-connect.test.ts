import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { ProviderRpcError } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  connect,
  disconnect,
  getConnection,
  getConnectorClient,
  reconnect,
  sendTransaction,
  switchChain,
} from "wagmi/actions";
import { WebSocketServer } from "ws";
import { minuteMs } from "~/lib/durations";
import { createWalletConfig } from "~/wallet/config";
import { toWalletErrorKind } from "~/wallet/error-kinds";
import { openClient, type WalletConnectClient } from "~/wallet/wallet-connect/client";
import { walletConnect } from "~/wallet/wallet-connect/connector";
import type { Pairing } from "~/wallet/wallet-connect/pairing";
import { closeClient, RemoteWallet } from "../../support/remote-wallet";
import { type Relay, startRelay } from "../../support/wallet-connect-relay";

const mainnet = 1;
const sepolia = 11_155_111;
const origin = "https://site.invalid";
const projectId = "0123456789abcdef0123456789abcdef";
const closing: (() => Promise<void>)[] = [];
let relay: Relay;

beforeAll(async () => {
  // The client keeps one instance per page, and these tests use several pages.
  vi.stubEnv("DISABLE_GLOBAL_CORE", "true");
  relay = await startRelay();
});

afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) await close();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await relay.stop();
});

/** Lets a test run long timers at once, such as one of five minutes. */
function fakeTimers() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
}

function createStorage(): Storage {
  const entries = new Map<string, string>();
  return {
    get length() {
      return entries.size;
    },
    clear: () => entries.clear(),
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  };
}

/** A part of the client's engine that its published types lack. */
type MessageQueue = { onRelayEventRequest(event: { topic: string; payload: object }): Promise<void> };

/** A page of the site with WalletConnect. Two pages with the same storage are one page before and after a reload. */
function openPage({ storage = createStorage(), relayUrl = relay.url, timeoutMs = 20_000 } = {}) {
  const clients: WalletConnectClient[] = [];
  const relayConnector = walletConnect(async () => {
    const client = await openClient({ projectId, relayUrl }, origin, storage);
    clients.push(client);
    return client;
  }, timeoutMs);
  const rpc = { mainnet: "https://main.invalid/", sepolia: "https://sepolia.invalid/" };
  const config = createWalletConfig({ rpc, hasSandbox: false, origin, storage, relayConnector });
  const connector = config.connectors.find(({ type }) => type === "walletConnect");
  if (!connector) throw new Error("WalletConnect is not configured.");
  let pairing: Pairing | null = null;
  connector.emitter.on("message", ({ type, data }) => {
    if (type === "pairing") pairing = data as Pairing | null;
  });
  closing.push(async () => {
    for (const client of clients) await closeClient(client);
  });
  return {
    config,
    connector,
    clients,
    state: () => getConnection(config),
    pairing: () => pairing,
    /** What the page shows as a code. */
    uri: () => vi.waitUntil(() => pairing?.uri, { timeout: 20_000 }),
    async kindOf(action: Promise<unknown>) {
      return action.then(
        () => "no error",
        (error: unknown) => toWalletErrorKind(error),
      );
    },
  };
}

async function openWallet(...chainIds: number[]): Promise<RemoteWallet> {
  const wallet = await RemoteWallet.open(relay.url, chainIds);
  closing.push(() => wallet.close());
  return wallet;
}

/** A page that is connected with a wallet. */
async function pair({ wallet, chainId, storage }: { wallet: RemoteWallet; chainId?: number; storage?: Storage }) {
  const page = openPage(storage ? { storage } : {});
  const connecting = connect(page.config, { connector: page.connector, ...(chainId && { chainId }) });
  await wallet.scan(await page.uri());
  return { ...page, connected: await connecting };
}

const payment = { to: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", data: "0xa9059cbb" } as const;

describe("WalletConnect", () => {
  it("connects with a wallet that approves the code, on the chain of the payment", async () => {
    const wallet = await openWallet(mainnet, sepolia);
    const page = await pair({ wallet, chainId: sepolia });
    expect(page.connected).toEqual({ accounts: [wallet.account.address], chainId: sepolia });
    expect(page.state()).toMatchObject({ status: "connected", address: wallet.account.address, chainId: sepolia });
    // The code disappears.
    expect(page.pairing()).toBeNull();
    expect(relay.received.some((call) => call.projectId === projectId)).toBe(true);
  });

  it("reports that the wallet declined the connection", async () => {
    const wallet = await openWallet(mainnet);
    wallet.owner.connects = false;
    const page = openPage();
    const outcome = page.kindOf(connect(page.config, { connector: page.connector }));
    await wallet.scan(await page.uri());
    expect(await outcome).toBe("rejected");
    expect(page.state().status).toBe("disconnected");
    expect(page.pairing()).toBeNull();
  });

  it("reports that a code has expired, and offers a new one", async () => {
    const page = openPage();
    const outcome = page.kindOf(connect(page.config, { connector: page.connector }));
    const first = await page.uri();
    const [client] = page.clients;
    const [proposal] = client?.proposal.getAll() ?? [];
    // As when five minutes have passed.
    client?.core.expirer.set(proposal?.id ?? 0, Math.floor(Date.now() / 1000) - 1);
    expect(await outcome).toBe("expired");

    const wallet = await openWallet(mainnet);
    const connecting = connect(page.config, { connector: page.connector });
    const second = await page.uri();
    expect(second).not.toBe(first);
    await wallet.scan(second);
    expect((await connecting).accounts).toEqual([wallet.account.address]);
  });

  // Vitest fails the run for an error that nothing catches.
  it.each(["waits", "cancels"])("catches all errors of a code that expires while the visitor %s", async (does) => {
    fakeTimers();
    const page = openPage();
    const outcome = page.kindOf(connect(page.config, { connector: page.connector }));
    await page.uri();
    if (does === "cancels") page.pairing()?.cancel();
    await vi.advanceTimersByTimeAsync(5 * minuteMs);
    expect(await outcome).toBe(does === "cancels" ? "rejected" : "expired");
  });

  it.each(["waits", "disconnects"])("catches all errors of a payment that expires while the page %s", async (does) => {
    fakeTimers();
    const wallet = await openWallet(mainnet);
    wallet.owner.pays = "later";
    const { config, kindOf } = await pair({ wallet });
    const outcome = kindOf(sendTransaction(config, { ...payment, chainId: mainnet }));
    await vi.waitUntil(() => wallet.requested.length === 1, { timeout: 20_000 });
    if (does === "disconnects") await disconnect(config);
    await vi.advanceTimersByTimeAsync(5 * minuteMs);
    expect(await outcome).toBe(does === "disconnects" ? "disconnected" : "timeout");
  });

  it("withdraws the code of a pairing that the visitor cancels", async () => {
    const page = openPage();
    const outcome = page.kindOf(connect(page.config, { connector: page.connector }));
    await page.uri();
    page.pairing()?.cancel();
    expect(await outcome).toBe("rejected");
    expect(page.pairing()).toBeNull();
    await vi.waitUntil(() => page.clients[0]?.core.pairing.getPairings().length === 0, { timeout: 20_000 });
  });

  it("ends the session of a wallet whose accounts are malformed", async () => {
    const wallet = await openWallet(mainnet);
    wallet.address = "evil";
    const page = openPage();
    const outcome = page.kindOf(connect(page.config, { connector: page.connector }));
    await wallet.scan(await page.uri());
    expect(await outcome).toBe("unauthorized");
    await vi.waitUntil(() => wallet.countSessions() === 0, { timeout: 20_000 });
  });

  it("notices that the wallet ends the session", async () => {
    const wallet = await openWallet(mainnet);
    const page = await pair({ wallet });
    await wallet.end();
    await vi.waitUntil(() => page.state().status === "disconnected", { timeout: 20_000 });
    expect(await page.connector.isAuthorized()).toBe(false);
  });

  it("ends the session in the wallet when the visitor disconnects", async () => {
    const wallet = await openWallet(mainnet);
    const page = await pair({ wallet });
    await disconnect(page.config);
    expect(page.state().status).toBe("disconnected");
    await vi.waitUntil(() => wallet.countSessions() === 0, { timeout: 20_000 });
  });

  // Vitest fails the run for an error that nothing catches.
  it.each(["wallet", "page"])("ends a session that both sides end at once, the %s first", async (first) => {
    const wallet = await openWallet(mainnet);
    const page = await pair({ wallet });
    const crossing = relay.crossEnds();
    const ends = [() => wallet.end(), () => disconnect(page.config)];
    const later = first === "wallet" ? page.clients[0] : wallet.client;
    if (first === "page") ends.reverse();
    const earlier = ends[0]?.();
    await vi.waitUntil(() => crossing.isWaiting(), { timeout: 20_000 });
    await Promise.all([earlier, ends[1]?.()]);
    await vi.waitUntil(() => later?.session.length === 0, { timeout: 20_000 });
    const confirmed = new Promise((resolve) => later?.core.relayer.once("relayer_publish", resolve));
    crossing.finish();
    await confirmed;
    await vi.waitFor(() => expect(wallet.countSessions()).toBe(0));
    await vi.waitFor(() => expect(page.clients[0]?.session.length).toBe(0));
  });

  it("ignores messages that arrive after it deleted their session", async () => {
    const wallet = await openWallet(mainnet);
    const page = await pair({ wallet });
    const client = page.clients[0];
    const topic = client?.session.keys[0];
    if (!client || !topic) throw new Error("There is no session.");
    await disconnect(page.config);
    await vi.waitUntil(() => client.session.length === 0, { timeout: 20_000 });
    const payload = { id: 1, jsonrpc: "2.0", method: "wc_sessionDelete", params: { code: 6000, message: "Ended." } };
    await (client.engine as unknown as MessageQueue).onRelayEventRequest({ topic, payload });
    // Node reports errors that nothing catches after the promises of a turn.
    await new Promise((resolve) => setImmediate(resolve));
  });

  it("says that the wallet lacks the chain, until the wallet adds it", async () => {
    const wallet = await openWallet(mainnet);
    const page = await pair({ wallet, chainId: sepolia });
    expect(page.state().chainId).toBe(mainnet);
    expect(await page.kindOf(switchChain(page.config, { chainId: sepolia }))).toBe("chainMissing");
    await wallet.addChain(sepolia);
    await vi.waitUntil(async () => (await page.kindOf(switchChain(page.config, { chainId: sepolia }))) === "no error", {
      timeout: 20_000,
    });
    expect(page.state()).toMatchObject({ chainId: sepolia, address: wallet.account.address });
  });

  it("T86 asks the wallet only to send transactions, and reports that it declined one", async () => {
    const wallet = await openWallet(mainnet);
    wallet.owner.pays = "no";
    const { config, kindOf } = await pair({ wallet });
    const client = await getConnectorClient(config, { chainId: mainnet });
    expect(await kindOf(sendTransaction(config, { ...payment, chainId: mainnet }))).toBe("rejected");
    expect(wallet.requested).toMatchObject([{ ...payment, from: wallet.account.address }]);
    const read = client.request({ method: "eth_getCode", params: [payment.to, "latest"] } as never);
    const sign = client.request({ method: "personal_sign", params: ["0x", wallet.account.address] } as never);
    for (const call of [read, sign]) {
      await expect(call).rejects.toMatchObject({ code: 4200 } satisfies Partial<ProviderRpcError>);
    }
    expect(wallet.requested).toHaveLength(1);
  });

  for (const side of ["wallet", "page"] as const) {
    it(`stops waiting for a payment when the ${side} ends the session`, async () => {
      const wallet = await openWallet(mainnet);
      wallet.owner.pays = "later";
      const { config, kindOf } = await pair({ wallet });
      const outcome = kindOf(sendTransaction(config, { ...payment, chainId: mainnet }));
      await vi.waitUntil(() => wallet.requested.length === 1, { timeout: 20_000 });
      await (side === "wallet" ? wallet.end() : disconnect(config));
      // error-messages.ts then says that the payment may have been sent anyway.
      expect(await outcome).toBe("disconnected");
    });
  }

  it("continues the session after a reload, on the same chain", async () => {
    const wallet = await openWallet(mainnet, sepolia);
    const storage = createStorage();
    await pair({ wallet, chainId: sepolia, storage });
    const reloaded = openPage({ storage });
    await reconnect(reloaded.config);
    expect(reloaded.state()).toMatchObject({ status: "connected", address: wallet.account.address, chainId: sepolia });
    expect(reloaded.pairing()).toBeNull();
  });

  it("does not load the client to reconnect if there was no session", async () => {
    const page = openPage();
    await reconnect(page.config);
    expect(page.state().status).toBe("disconnected");
    expect(page.clients).toEqual([]);
  });

  it("says that the relay can't be reached when it does not respond", async () => {
    const page = openPage({ relayUrl: "ws://127.0.0.1:9", timeoutMs: 100 });
    expect(await page.kindOf(connect(page.config, { connector: page.connector }))).toBe("relayUnreachable");
    expect(page.pairing()).toBeNull();
  });

  it("says so at once when the relay refuses the project, and stops connecting", async () => {
    let connections = 0;
    const refusing = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    refusing.on("connection", (socket) => {
      connections += 1;
      socket.close(3000, "Unauthorized: invalid key");
    });
    await once(refusing, "listening");
    const { port } = refusing.address() as AddressInfo;
    const page = openPage({ relayUrl: `ws://127.0.0.1:${port}` });
    expect(await page.kindOf(connect(page.config, { connector: page.connector }))).toBe("relayUnreachable");
    expect(await page.kindOf(connect(page.config, { connector: page.connector }))).toBe("relayUnreachable");
    // The client would have opened hundreds.
    expect(connections).toBeLessThan(5);
    refusing.close();
  });
});
