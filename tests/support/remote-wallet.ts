/** A wallet on another device: WalletConnect's own client, with an account that signs on the sandbox's chain. */
import { randomUUID } from "node:crypto";
import { SignClient } from "@walletconnect/sign-client";
import { createWalletClient, type Hex, http, type PrivateKeyAccount } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { endSessionsOnce } from "~/wallet/wallet-connect/client";

type Client = Awaited<ReturnType<typeof SignClient.init>>;
type Transaction = { from: Hex; to: Hex; data: Hex };

/** How the wallet's owner responds to a proposal and to a payment: approves, refuses, or does nothing. */
export type Owner = { connects: boolean; pays: "yes" | "no" | "later" };

export class RemoteWallet {
  readonly account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey());
  readonly owner: Owner = { connects: true, pays: "yes" };
  /** What it says its address is. */
  address: string = this.account.address;
  /** The transactions that the site requested. */
  readonly requested: Transaction[] = [];
  /** Resolves once the page has acknowledged the session that the owner approved last. */
  #connected: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly client: Client,
    /** The chains that it has accounts on. */
    readonly chainIds: readonly number[],
    readonly rpcUrl: string,
  ) {
    client.on("session_proposal", (event) => void this.#onProposal(event.id));
    client.on(
      "session_request",
      ({ id, topic, params }) => void this.#onRequest(id, topic, params.request.params as [Transaction]),
    );
  }

  static async open(relayUrl: string, chainIds: readonly number[], rpcUrl = ""): Promise<RemoteWallet> {
    const client = await SignClient.init({
      projectId: "fedcba9876543210fedcba9876543210",
      relayUrl,
      metadata: { name: "Pocket", description: "A wallet", url: "https://pocket.invalid", icons: [] },
      customStoragePrefix: randomUUID(),
      storageOptions: { database: ":memory:" },
      logger: "silent",
      telemetryEnabled: false,
    });
    // Tests contact no server but the relay.
    client.core.verify.register = async () => undefined;
    client.core.verify.resolve = async () => ({ origin: "" });
    endSessionsOnce(client);
    return new RemoteWallet(client, chainIds, rpcUrl);
  }

  /** The wallet scans or opens the code. */
  async scan(uri: string): Promise<void> {
    await this.client.pair({ uri });
  }

  /** The owner ends the connection in the wallet. */
  async end(): Promise<void> {
    // The page may show the session before this client has stored it.
    await this.#connected;
    for (const { topic } of this.client.session.getAll()) {
      await this.client.disconnect({ topic, reason: { code: 6000, message: "The owner ended it." } });
    }
  }

  countSessions(): number {
    return this.client.session.length;
  }

  /** Adds a chain to the wallet, which tells the page about it. */
  async addChain(chainId: number): Promise<void> {
    for (const { topic } of this.client.session.getAll()) {
      await this.client.update({ topic, namespaces: this.#toNamespaces([...this.chainIds, chainId]) });
    }
  }

  async close(): Promise<void> {
    await closeClient(this.client);
  }

  #toNamespaces(chainIds: readonly number[]) {
    const accounts = chainIds.map((id) => `eip155:${id}:${this.address}`);
    const chains = chainIds.map((id) => `eip155:${id}`);
    return {
      eip155: { chains, accounts, methods: ["eth_sendTransaction"], events: ["accountsChanged", "chainChanged"] },
    };
  }

  async #onProposal(id: number): Promise<void> {
    if (this.owner.connects) {
      const approving = this.client.approve({ id, namespaces: this.#toNamespaces(this.chainIds) });
      this.#connected = approving.then(({ acknowledged }) => acknowledged());
      await this.#connected;
    } else {
      await this.client.reject({ id, reason: { code: 5000, message: "User rejected." } });
    }
  }

  async #onRequest(id: number, topic: string, [transaction]: [Transaction]): Promise<void> {
    this.requested.push(transaction);
    if (this.owner.pays === "later") return;
    const response =
      this.owner.pays === "yes"
        ? { id, jsonrpc: "2.0", result: await this.#send(transaction) }
        : { id, jsonrpc: "2.0", error: { code: 5000, message: "User rejected." } };
    await this.client.respond({ topic, response });
  }

  #send({ to, data }: Transaction): Promise<Hex> {
    const sender = createWalletClient({ account: this.account, transport: http(this.rpcUrl) });
    return sender.sendTransaction({ chain: null, to, data });
  }
}

/**
 * Closes a WalletConnect client and keeps it from reconnecting, which it does to send queued messages. It calls
 * `confirmOnlineStateOrThrow` before each attempt.
 */
export async function closeClient({ core: { heartbeat, relayer } }: Client): Promise<void> {
  heartbeat.stop();
  relayer.confirmOnlineStateOrThrow = () => Promise.reject(new Error("The client was closed."));
  await relayer.transportClose();
}
