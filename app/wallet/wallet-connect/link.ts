import { getAddress, isAddress, ProviderDisconnectedError } from "viem";
import { WalletCheckError } from "../error-kinds";
import type { WalletConnectClient } from "./client";
import { type Pairing, refusedEvent } from "./pairing";

type Session = ReturnType<WalletConnectClient["session"]["get"]>;

export type LinkEvents = {
  /** The wallet offers other accounts or chains. */
  changed(): void;
  /** The wallet has ended the session, or it has expired. */
  ended(): void;
};

/** The only method that this site calls on a wallet. It never asks for message signatures. */
const methods = ["eth_sendTransaction"];
/** Not used, but wallets send them. */
const events = ["accountsChanged", "chainChanged"];

/** The reason in CAIP-25 for ending a session on request. */
const userDisconnected = { code: 6000, message: "User disconnected." };

/** The session with one wallet over the relay. Loads the client when it is first needed. */
export class WalletLink {
  #client: Promise<WalletConnectClient> | null = null;
  #session: Session | null = null;
  /** Rejects the requests that the wallet can no longer respond to. */
  #abandon: (error: Error) => void = () => undefined;
  #abandoned: Promise<never> = new Promise(() => undefined);

  constructor(
    readonly load: () => Promise<WalletConnectClient>,
    readonly events: LinkEvents,
    /** How long the relay may take to accept a pairing. */
    readonly timeoutMs: number,
  ) {}

  get topic(): string | null {
    return this.#session?.topic ?? null;
  }

  /** The chain IDs of Ethereum for which the wallet has approved accounts, in its order. */
  get chainIds(): number[] {
    return [...new Set(this.#accounts.map(({ chainId }) => chainId))];
  }

  accountsOn(chainId: number): `0x${string}`[] {
    return this.#accounts.filter((account) => account.chainId === chainId).map(({ address }) => address);
  }

  /** Without those that are malformed: the client checks only that the wallet has sent three parts. */
  get #accounts() {
    return (this.#session?.namespaces.eip155?.accounts ?? []).flatMap((account) => {
      const [, chainId = "", address = ""] = account.split(":");
      const isValid = /^[1-9][0-9]{0,15}$/.test(chainId) && isAddress(address, { strict: false });
      return isValid ? { chainId: Number(chainId), address: getAddress(address) } : [];
    });
  }

  /** Continues the session that was stored under a topic. False if it is over. */
  async restore(topic: string): Promise<boolean> {
    const client = await this.#open();
    const session = client.session.getAll().find((known) => known.topic === topic);
    if (!session || session.expiry * 1000 <= Date.now()) return false;
    this.#begin(session);
    return true;
  }

  /**
   * Offers a pairing and waits for a wallet to approve it.
   * @throws the wallet's refusal, or an error if no wallet responds within five minutes
   */
  async pair(chainIds: readonly number[], show: (pairing: Pairing | null) => void): Promise<void> {
    let cancel: () => void = () => undefined;
    const cancelled = new Promise<never>((_, reject) => {
      cancel = () => reject(new WalletCheckError("rejected"));
    });
    cancelled.catch(() => undefined);
    show({ uri: null, cancel });
    try {
      const proposed = this.#propose(chainIds);
      const { uri, approval } = await Promise.race([proposed, cancelled]).catch((error: unknown) => {
        proposed.then(({ uri }) => this.#withdraw(uri)).catch(() => undefined);
        throw error;
      });
      show({ uri, cancel });
      const approved = approval();
      approved.catch(() => undefined);
      this.#begin(
        await Promise.race([approved, cancelled]).catch((error: unknown) => {
          this.#withdraw(uri);
          throw error;
        }),
      );
    } finally {
      show(null);
    }
  }

  async #propose(chainIds: readonly number[]): Promise<{ uri: string; approval: () => Promise<Session> }> {
    const client = await this.#open();
    const chains = chainIds.map((id) => `eip155:${id}`);
    const connected = client.connect({ optionalNamespaces: { eip155: { chains, methods, events } } });
    const { uri, approval } = await this.#withinTime(client, connected);
    if (!uri) throw new WalletCheckError("relayUnreachable");
    return { uri, approval };
  }

  /** Removes a pairing that will not be used. */
  #withdraw(uri: string): void {
    const topic = uri.slice("wc:".length, uri.indexOf("@"));
    this.#open()
      .then((client) => client.core.pairing.disconnect({ topic }))
      .catch(() => undefined);
  }

  /** Sends a request to the wallet. @throws ProviderDisconnectedError if the session ends before the wallet responds */
  async request(method: string, params: unknown, chainId: number): Promise<unknown> {
    const topic = this.topic;
    if (topic === null) throw new ProviderDisconnectedError(new Error("There is no session with a wallet."));
    const client = await this.#open();
    const response = client.request({ topic, chainId: `eip155:${chainId}`, request: { method, params } });
    return Promise.race([response, this.#abandoned]);
  }

  /** Ends the session here at once, and tells the wallet through the relay. */
  end(): void {
    const topic = this.topic;
    if (topic === null) return;
    this.#clearSession();
    this.#open()
      .then((client) => client.disconnect({ topic, reason: userDisconnected }))
      .catch(() => undefined);
  }

  #begin(session: Session): void {
    this.#session = session;
    this.#abandoned = new Promise((_, reject) => {
      this.#abandon = reject;
    });
    this.#abandoned.catch(() => undefined);
  }

  #clearSession(): void {
    this.#session = null;
    this.#abandon(new ProviderDisconnectedError(new Error("The session with the wallet has ended.")));
  }

  #open(): Promise<WalletConnectClient> {
    this.#client ??= this.load().then(
      (client) => {
        this.#listen(client);
        return client;
      },
      (error: unknown) => {
        // The next attempt loads it again.
        this.#client = null;
        throw error;
      },
    );
    return this.#client;
  }

  #listen(client: WalletConnectClient): void {
    const onEnd = ({ topic }: { topic: string }) => {
      if (topic !== this.topic) return;
      this.#clearSession();
      this.events.ended();
    };
    client.on("session_delete", onEnd);
    client.on("session_expire", onEnd);
    client.on("session_update", ({ topic }) => {
      if (topic !== this.topic) return;
      this.#session = client.session.get(topic);
      this.events.changed();
    });
  }

  /** Gives up if the relay refuses or does not respond in time. The client alone would retry for over a minute. */
  async #withinTime<T>({ core: { relayer } }: WalletConnectClient, promise: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let onRefused: (error: Error) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => {
      onRefused = reject;
      timer = setTimeout(() => reject(new Error("The relay did not respond in time.")), this.timeoutMs);
    });
    relayer.on(refusedEvent, onRefused);
    try {
      return await Promise.race([promise, failed]);
    } catch (error) {
      throw new WalletCheckError("relayUnreachable", { cause: error });
    } finally {
      relayer.off(refusedEvent, onRefused);
      clearTimeout(timer);
    }
  }
}
