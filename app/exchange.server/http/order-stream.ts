import type { Order } from "../../api/contract";
import type { OrderVersion } from "../orders/views/order-versions";

/** Who watches which order, and by which session. */
export type Watcher = { accountId: string; remoteAddress: string | undefined; tokenHash: string; orderId: string };

/** How long browsers wait before they reopen a stream that broke off. A server that is stopping sets a longer wait. */
const retryMs = 3_000;

/**
 * One open event stream: writes the events of its order as server-sent events, and notices if its client no
 * longer reads them. `OrderStreamHub` decides when to update, keep alive or end it.
 */
export class OrderStream {
  readonly #openedAt = Date.now();
  readonly endsAt: number;
  readonly accountId: string;
  readonly orderId: string;
  readonly tokenHash: string;
  readonly body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #release: (() => void) | null;
  #sentVersion = "";
  #lastWrite = this.#openedAt;
  #stalledSince: number | null = null;
  #checkAt: number | null = null;
  /** When the offer expires, or is requested again. */
  #checkOfferAt: number | null = null;
  /** Until then, a new offer is not requested. */
  #retryAt = this.#openedAt;

  /** The whole request, because its signal never aborts once Node.js has garbage-collected the request. */
  readonly #request: Request;

  constructor(watcher: Watcher, request: Request, lastsMs: number, release: () => void) {
    this.endsAt = this.#openedAt + lastsMs;
    this.#request = request;
    request.signal.addEventListener("abort", () => this.end(), { once: true });
    this.accountId = watcher.accountId;
    this.orderId = watcher.orderId;
    this.tokenHash = watcher.tokenHash;
    this.#release = release;
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => this.end(),
    });
  }

  get isAborted(): boolean {
    return this.#request.signal.aborted;
  }

  /** Whether its order has changed since the last event. */
  isBehind(orders: Map<string, OrderVersion>): boolean {
    const order = orders.get(this.orderId);
    return order !== undefined && order.updatedAt.toISOString() !== this.#sentVersion;
  }

  /** For how long the client has not read what was sent. */
  stalledFor(now: number): number {
    if ((this.#controller?.desiredSize ?? 0) > 0) this.#stalledSince = null;
    else this.#stalledSince ??= now;
    return this.#stalledSince === null ? 0 : now - this.#stalledSince;
  }

  /**
   * When it has to be checked again without news: its offer may expire, or the client has not read the last event. Null
   * if it does not have to be checked.
   */
  get checkAt(): number | null {
    return this.#checkAt;
  }

  /**
   * Whether its order needs a new offer now, so that the customer can decide.
   * @param offerMs for how long the order's offer is still valid; null if it has none
   * @param retryMs how long to wait before requesting one again
   */
  needsOffer(
    status: string | undefined,
    { offerMs, retryMs, now }: { offerMs: number | null; retryMs: number; now: number },
  ): boolean {
    if (status !== "needs_decision") {
      this.#checkOfferAt = null;
      return false;
    }
    if (offerMs !== null && offerMs > 0) {
      this.#checkOfferAt = now + offerMs;
      this.#retryAt = now;
      return false;
    }
    if (offerMs === null && now < this.#retryAt) return false;
    this.#retryAt = now + retryMs;
    this.#checkOfferAt = this.#retryAt;
    return true;
  }

  /** Sends the order if it has changed. A client that is behind gets only the newest, in a later round. */
  update(order: Order | undefined, now: number): void {
    const isNew = order !== undefined && order.updated_at !== this.#sentVersion;
    const isFull = (this.#controller?.desiredSize ?? 0) <= 0;
    this.#checkAt = isNew && isFull ? now : this.#checkOfferAt;
    if (!isNew || isFull) return;
    const retry = this.#sentVersion === "" ? `retry: ${retryMs}\n` : "";
    this.#sentVersion = order.updated_at;
    this.#write(`${retry}event: order\ndata: ${JSON.stringify(order)}\nid: ${order.updated_at}\n\n`, now);
  }

  /** Sends a comment line after a while. */
  keepAlive(now: number, heartbeatMs: number): void {
    if (now - this.#lastWrite <= heartbeatMs || (this.#controller?.desiredSize ?? 0) <= 0) return;
    this.#write(": heartbeat\n\n", now);
  }

  /** Closes the stream and releases its place. */
  end(): void {
    const release = this.#release;
    if (!release) return;
    this.#release = null;
    const controller = this.#controller;
    this.#controller = null;
    try {
      controller?.close();
    } catch {
      // The client has cancelled it already.
    }
    release();
  }

  #write(text: string, now: number): void {
    this.#lastWrite = now;
    this.#controller?.enqueue(new TextEncoder().encode(text));
  }
}
