/**
 * A relay for WalletConnect on the loopback: JSON-RPC over WebSocket, as
 * https://specs.walletconnect.com/2.0/specs/servers/relay/relay-server-rpc documents it, with the two calls of
 * newer clients that publish a session's proposal and approval. It passes messages on without their keys, and keeps
 * each for clients that subscribe later.
 */
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

type Params = Record<string, unknown>;
type Call = { id: number | string; method?: string; params?: Params };
type Mail = { topic: string; message: string; tag: unknown; publishedAt: number; from: string; seenBy: Set<string> };
type Client = { id: string; socket: WebSocket; topics: Set<string> };

/** The held message, and what its receiver still waits for: to leave the topic, and that its reply was passed on. */
type Crossing = { held: Mail | null; leave: (() => void) | null; confirm: (() => void) | null };

/** The tags of https://specs.walletconnect.com/2.0/specs/clients/sign/rpc-methods#wc_sessiondelete. */
const endSession = { request: 1112, reply: 1113 };

export type Relay = {
  /** For WALLETCONNECT_RELAY_URL. */
  url: string;
  /** Every call of every client, as it arrived. The project ID tells the site from its wallets. */
  received: { projectId: string; text: string }[];
  /**
   * Holds the next message that ends a session until the other side, too, has ended it and is leaving its topic: it gets
   * the message while it deletes the session. `finish` confirms its reply to the message, which is held until then.
   */
  crossEnds(): { isWaiting(): boolean; finish(): void };
  stop(): Promise<void>;
};

export async function startRelay(): Promise<Relay> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  const post = new PostOffice();
  const received: Relay["received"] = [];
  server.on("connection", (socket, request) => {
    const query = new URL(request.url ?? "/", "ws://relay").searchParams;
    const id = readClientId(query.get("auth"));
    const projectId = query.get("projectId");
    if (!id || !projectId) return socket.close(3000, "Unauthorized: invalid key");
    const client: Client = { id, socket, topics: new Set() };
    post.clients.add(client);
    socket.on("close", () => post.clients.delete(client));
    socket.on("message", (data) => {
      const text = String(data);
      received.push({ projectId, text });
      post.handle(client, JSON.parse(text) as Call);
    });
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    crossEnds: () => post.crossEnds(),
    stop: () =>
      new Promise((resolve) => {
        for (const socket of server.clients) socket.terminate();
        server.close(() => resolve());
      }),
  };
}

/** The issuer of the token with which a client authenticates itself. It stays the same when the client reconnects. */
function readClientId(token: string | null): string | null {
  const claims = token?.split(".")[1];
  if (!claims) return null;
  const { iss } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { iss?: string };
  return iss ?? null;
}

class PostOffice {
  readonly clients = new Set<Client>();
  readonly #mails: Mail[] = [];
  #crossing: Crossing | null = null;
  #lastId = 1_000_000;

  crossEnds(): { isWaiting(): boolean; finish(): void } {
    const crossing: Crossing = { held: null, leave: null, confirm: null };
    this.#crossing = crossing;
    return {
      isWaiting: () => crossing.held !== null,
      finish: () => {
        if (!crossing.confirm) throw new Error("The two sides did not end the session at once.");
        crossing.confirm();
      },
    };
  }

  handle(client: Client, { id, method, params = {} }: Call): void {
    // A client's confirmation that it got a message.
    if (method === undefined) return;
    const send = (body: object) => client.socket.send(JSON.stringify({ id, jsonrpc: "2.0", ...body }));
    const respond = () => {
      try {
        send({ result: this.#call(client, method, params) });
      } catch (error) {
        send({ error: { code: -32000, message: (error as Error).message } });
      }
    };
    const crossing = this.#crossing;
    const isHeldFor = crossing?.held?.topic === params.topic && crossing?.held?.from !== client.id;
    if (crossing?.held && isHeldFor && method === "irn_unsubscribe" && !crossing.leave) {
      crossing.leave = respond;
      this.#mails.push(crossing.held);
    } else if (crossing?.leave && isHeldFor && params.tag === endSession.reply) {
      crossing.confirm = respond;
      this.#crossing = null;
      crossing.leave();
    } else {
      respond();
    }
    this.#deliver();
  }

  #call(client: Client, method: string, params: Params): unknown {
    const read = (name: string) => {
      const value = params[name];
      if (typeof value !== "string" || value === "") throw new Error(`${method} needs ${name}.`);
      return value;
    };
    const topics = () => params.topics as string[];
    switch (method) {
      case "irn_subscribe":
        return this.#subscribe(client, read("topic"));
      case "irn_batchSubscribe":
        return topics().map((topic) => this.#subscribe(client, topic));
      case "irn_unsubscribe":
        return client.topics.delete(read("topic"));
      case "irn_publish":
        return this.#publish(client, read("topic"), read("message"), params.tag);
      case "irn_fetchMessages":
        return { messages: this.#fetch(client, [read("topic")]), hasMore: false };
      case "irn_batchFetchMessages":
        return { messages: this.#fetch(client, topics()), hasMore: false };
      case "wc_proposeSession":
        this.#subscribe(client, read("pairingTopic"));
        return this.#publish(client, read("pairingTopic"), read("sessionProposal"), 1100);
      case "wc_approveSession":
        this.#subscribe(client, read("sessionTopic"));
        this.#publish(client, read("pairingTopic"), read("sessionProposalResponse"), 1101);
        return this.#publish(client, read("sessionTopic"), read("sessionSettlementRequest"), 1102);
      default:
        throw new Error(`The relay has no ${method}.`);
    }
  }

  #subscribe(client: Client, topic: string): string {
    client.topics.add(topic);
    return `${client.id} ${topic}`;
  }

  #publish(client: Client, topic: string, message: string, tag: unknown): true {
    const mail = { topic, message, tag, publishedAt: Date.now(), from: client.id, seenBy: new Set<string>() };
    if (this.#crossing?.held === null && tag === endSession.request) this.#crossing.held = mail;
    else this.#mails.push(mail);
    return true;
  }

  #fetch({ id }: Client, topics: readonly string[]) {
    const mails = this.#mails.filter(
      ({ topic, from, seenBy }) => topics.includes(topic) && from !== id && !seenBy.has(id),
    );
    for (const { seenBy } of mails) seenBy.add(id);
    return mails.map(({ topic, message, tag, publishedAt }) => ({ topic, message, tag, publishedAt }));
  }

  #deliver(): void {
    for (const client of this.clients) {
      for (const data of this.#fetch(client, [...client.topics])) {
        const params = { id: `${client.id} ${data.topic}`, data };
        this.#lastId++;
        client.socket.send(JSON.stringify({ id: this.#lastId, jsonrpc: "2.0", method: "irn_subscription", params }));
      }
    }
  }
}
