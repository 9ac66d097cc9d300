import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { toClientNetwork } from "../../lib/client-network";
import { minuteMs } from "../../lib/durations";
import { findActiveTokens } from "../accounts/find-caller";
import type { ExchangeContext } from "../context";
import type { DbNotifications } from "../db/notifications";
import { describeError } from "../describe-error";
import { ExchangeError } from "../errors";
import type { ConcurrencyLimit } from "../limits/concurrency-limit";
import type { SharedLimits } from "../limits/shared-limits";
import { refreshOffer } from "../orders/decisions/offers";
import { getOrdersWithMovements } from "../orders/views/movements";
import { getOrderVersions } from "../orders/views/order-versions";
import { toOrders } from "../orders/views/order-view";
import { OrderStream, type Watcher } from "./order-stream";

export type StreamSettings = {
  /** Fewer than the six connections that browsers open to a site over HTTP/1.1, so that its other pages still load. */
  perAccount: number;
  /** Per IPv4 address or /56 of IPv6. Calls without an address come from this process and are not limited. */
  perNetwork: number;
  /** Per process, because each stream takes memory. */
  total: number;
  /** The time between two rounds. Each round checks the streams whose turn it is, with two queries for all of them. */
  pollMs: number;
  /** How many rounds pass until the next streams have their turn, which finds changes whose notification got lost. */
  roundsPerTurn: number;
  /** The minimum time between two checks, so that many new streams share one check. */
  gapMs: number;
  /** How many streams are checked in each round, in addition to those with news. The others follow in later rounds. */
  perPoll: number;
  /**
   * How often an order that waits for a decision and has no open offer is tried again: the rate or the switches may
   * allow one now.
   */
  offerRetryMs: number;
  /**
   * Comment lines, so that proxies do not close a quiet connection. Sent up to `roundsPerLook` rounds later if there are
   * many streams.
   */
  heartbeatMs: number;
  /** A stream that is not read for this long ends. */
  stallMs: number;
  /**
   * The longest that a stream lasts. The shortest is 70% of this, so that streams that were opened together do not end
   * together. Browsers reconnect automatically. Endless streams would outlive deployments and proxies.
   */
  maxMs: number;
};

const defaults: StreamSettings = {
  perAccount: 4,
  perNetwork: 100,
  total: 10_000,
  pollMs: 500,
  roundsPerTurn: 10,
  gapMs: 100,
  perPoll: 250,
  offerRetryMs: 5_000,
  heartbeatMs: 25_000,
  stallMs: 15_000,
  maxMs: 10 * minuteMs,
};

/** How many rounds it takes to check the connection of every stream. */
const roundsPerLook = 10;

/**
 * The open event streams of orders (T16). Changes are read from the database, by the order's `updated_at`, because
 * another process may change an order or end a session. The database announces both; because notifications can get
 * lost, streams are also checked one after another. Each check reads the session after the order: a stream never sends
 * after its session has ended, and closes within a second of the notification (T12).
 */
export class OrderStreamHub {
  readonly #ctx: ExchangeContext;
  readonly #settings: StreamSettings;
  /** In the order of their last check, oldest first. */
  readonly #streams = new Set<OrderStream>();
  readonly #byOrder = new Map<string, Set<OrderStream>>();
  readonly #byAccount = new Map<string, Set<OrderStream>>();
  /** Streams to check next: new ones, those with pending changes, and those whose turn it is. */
  readonly #due = new Set<OrderStream>();
  /** Streams whose next change is not announced. They are checked when they are due (`checkAt`). */
  readonly #unannounced = new Set<OrderStream>();
  /** Streams whose connection has not been checked in this pass over all streams. */
  #unseen: OrderStream[] = [];
  /** Rounds until the next turn. */
  #untilTurn = 0;
  /** How many streams still have to be checked because notifications may have been lost. */
  #toCatchUp = 0;
  readonly #perAccount: ConcurrencyLimit;
  readonly #perNetwork: ConcurrencyLimit;
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #mustPollAgain = false;
  /** Orders that need a new offer. */
  readonly #offerless = new Set<string>();
  #isRefreshing = false;

  constructor(
    ctx: ExchangeContext,
    shared: SharedLimits,
    { settings, notifications }: { settings?: Partial<StreamSettings>; notifications: DbNotifications },
  ) {
    this.#ctx = ctx;
    this.#settings = { ...defaults, ...settings };
    this.#perAccount = shared.slots("streams-of-account", this.#settings.perAccount);
    this.#perNetwork = shared.slots("streams-of-network", this.#settings.perNetwork);
    notifications.on("order", (id) => this.#check(this.#byOrder.get(id)));
    notifications.on("account", (id) => this.#check(this.#byAccount.get(id)));
    notifications.on("listening", () => {
      this.#toCatchUp = this.#streams.size;
    });
  }

  /** @throws rate_limited */
  open(watcher: Watcher, request: Request): ReadableStream<Uint8Array> {
    const { accountId, orderId, remoteAddress } = watcher;
    const network = remoteAddress === undefined ? null : toClientNetwork(remoteAddress);
    if (
      this.#streams.size >= this.#settings.total ||
      this.#perAccount.isFull(accountId) ||
      (network !== null && this.#perNetwork.isFull(network))
    ) {
      throw new ExchangeError("rate_limited", { retryAfterSeconds: 10 });
    }
    const leaveAccount = this.#perAccount.acquire(accountId);
    const leaveNetwork = network === null ? null : this.#perNetwork.acquire(network);
    const lastsMs = this.#settings.maxMs * (0.7 + 0.3 * Math.random());
    const stream = new OrderStream(watcher, request, lastsMs, () => {
      this.#streams.delete(stream);
      this.#due.delete(stream);
      this.#unannounced.delete(stream);
      removeFrom(this.#byOrder, orderId, stream);
      removeFrom(this.#byAccount, accountId, stream);
      leaveAccount();
      leaveNetwork?.();
      if (this.#streams.size === 0) clearInterval(this.#timer);
    });
    if (this.#streams.size === 0) this.#timer = setInterval(() => this.#tick(), this.#settings.pollMs).unref();
    this.#streams.add(stream);
    addTo(this.#byOrder, orderId, stream);
    addTo(this.#byAccount, accountId, stream);
    // The first event is sent immediately.
    this.#due.add(stream);
    void this.#poll();
    return stream.body;
  }

  /** Checks the streams that the news is about. */
  #check(streams: ReadonlySet<OrderStream> = new Set()): void {
    for (const stream of streams) this.#due.add(stream);
    if (streams.size > 0) void this.#poll();
  }

  /** Looks at the connections of some streams, and checks the orders of those whose turn it is. */
  #tick(): void {
    this.#checkConnections();
    const now = Date.now();
    for (const stream of this.#unannounced) if ((stream.checkAt ?? now) <= now) this.#due.add(stream);
    let inTurn = this.#isTurn() ? this.#settings.perPoll : 0;
    for (const stream of this.#streams) {
      if (inTurn === 0) break;
      this.#due.add(stream);
      inTurn -= 1;
    }
    if (this.#due.size > 0) void this.#poll();
  }

  #isTurn(): boolean {
    const isCatchingUp = this.#toCatchUp > 0;
    this.#toCatchUp = Math.max(0, this.#toCatchUp - this.#settings.perPoll);
    this.#untilTurn -= 1;
    if (!isCatchingUp && this.#untilTurn > 0) return false;
    this.#untilTurn = this.#settings.roundsPerTurn;
    return true;
  }

  /**
   * Ends streams that are over and keeps the others alive, a few at a time: all at once would delay every other
   * request.
   */
  #checkConnections(): void {
    const { heartbeatMs, stallMs, perPoll } = this.#settings;
    const now = Date.now();
    if (this.#unseen.length === 0) this.#unseen = [...this.#streams];
    for (const stream of this.#unseen.splice(0, Math.max(perPoll, Math.ceil(this.#streams.size / roundsPerLook)))) {
      const isOver = stream.isAborted || now > stream.endsAt || stream.stalledFor(now) > stallMs;
      if (isOver) stream.end();
      else stream.keepAlive(now, heartbeatMs);
    }
  }

  /** One check at a time. If the database fails, the streams end and the browsers reconnect. */
  async #poll(): Promise<void> {
    this.#mustPollAgain = true;
    if (this.#isPolling) return;
    this.#isPolling = true;
    while (this.#mustPollAgain && this.#due.size > 0) {
      this.#mustPollAgain = false;
      const due = [...this.#due];
      this.#due.clear();
      try {
        await this.#pollOnce(due);
      } catch (error) {
        logFailure(this.#ctx.log, error, "The event streams could not be updated");
        for (const stream of due) stream.end();
      }
      await sleep(this.#settings.gapMs, undefined, { ref: false });
    }
    this.#isPolling = false;
  }

  async #pollOnce(due: OrderStream[]): Promise<void> {
    const { db } = this.#ctx;
    const versions = await getOrderVersions(db, unique(due.map(({ orderId }) => orderId)));
    const rows = new Map(versions.map((order) => [order.id, order]));
    const changed = unique(due.filter((stream) => stream.isBehind(rows)).map(({ orderId }) => orderId));
    const views = await toOrders(this.#ctx, await getOrdersWithMovements(db, changed));
    const byId = new Map(views.map((view) => [view.id, view]));
    // After the orders have been read, so that nothing is sent to a session that ended in the meantime.
    const active = await findActiveTokens(this.#ctx, unique(due.map(({ tokenHash }) => tokenHash)));
    const time = await this.#ctx.clock.now(db);
    const now = Date.now();
    for (const stream of due) {
      if (stream.isAborted || !active.has(stream.tokenHash)) stream.end();
      else if (this.#streams.delete(stream)) this.#streams.add(stream);
      const row = rows.get(stream.orderId);
      const offerMs = row?.offerExpiresAt ? row.offerExpiresAt.getTime() - time.getTime() : null;
      if (stream.needsOffer(row?.status, { offerMs, retryMs: this.#settings.offerRetryMs, now }))
        this.#offerless.add(stream.orderId);
      stream.update(byId.get(stream.orderId), now);
      if (stream.checkAt !== null && this.#streams.has(stream)) this.#unannounced.add(stream);
      else this.#unannounced.delete(stream);
    }
    if (this.#offerless.size > 0) void this.#refreshOffers();
  }

  /** Makes new offers for those that expired; the next round sends them. Not awaited, because it locks the orders. */
  async #refreshOffers(): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    for (const id of this.#offerless) {
      this.#offerless.delete(id);
      await refreshOffer(this.#ctx, id).catch((error: unknown) =>
        logFailure(this.#ctx.log, error, "An offer could not be renewed"),
      );
    }
    this.#isRefreshing = false;
  }
}

function addTo<T>(groups: Map<string, Set<T>>, key: string, value: T): void {
  const group = groups.get(key);
  if (group) group.add(value);
  else groups.set(key, new Set([value]));
}

function removeFrom<T>(groups: Map<string, Set<T>>, key: string, value: T): void {
  const group = groups.get(key);
  group?.delete(value);
  if (group?.size === 0) groups.delete(key);
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}

function logFailure(log: Logger, error: unknown, message: string): void {
  log.warn({ error: describeError(error) }, message);
}
