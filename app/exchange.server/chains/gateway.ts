import type { AssetSymbol, Network } from "../../lib/assets";

/**
 * What the exchange asks of a chain. `ethereum.ts` and `mobilecoin.ts` answer; nothing
 * else in the exchange knows a chain's protocol. Amounts are bigint base units.
 *
 * A gateway talks to its node or wallet over HTTP and to nothing else: it never touches
 * the database. What must survive a crash it hands back as data, and the caller stores it
 * before the next step (design/order-lifecycle.md, rule 6).
 */
export type ChainGateway = {
  readonly network: Network;
  readonly asset: AssetSymbol;
  /** Confirmations after which a deposit counts and an outgoing payment is final. */
  readonly requiredConfirmations: number;

  /**
   * Verifies once that the other side is what the configuration says (chain id, token
   * decimals, account). Throws with a sentence for the operator where it is not.
   */
  verify(): Promise<{ chainId: number | string }>;

  /** Base units that our wallet holds and could send, over as many payments as it takes. */
  getSpendable(): Promise<bigint>;

  /** Why no payment can be made now (token paused, our wallet blacklisted…), in words for the operator; or null. */
  getPaymentObstacle(): Promise<string | null>;

  /** Why an address cannot be paid to (it is on Tether's blacklist), in words for its owner; or null. */
  getReceiverObstacle(to: string): Promise<string | null>;

  /**
   * A funding address for one order. Ethereum derives child `index` of the xpub;
   * MobileCoin assigns a subaddress with the order id as metadata, and finds that one
   * again when called twice.
   */
  assignFundingAddress(order: { orderId: string; index: number }): Promise<{ address: string }>;

  /** The payment URI of a funding address (EIP-681; `mob:///b58/…`), for a QR code. */
  toPaymentUri(address: string, amount: bigint): string;

  /**
   * Transfers of the asset to any address that `isOurs` answers true for, after `cursor`.
   * Reads with an overlap, so the same transfer comes more than once. The answer's cursor
   * is stored by the caller in the transaction that stores the transfers.
   */
  scan(cursor: ScanCursor | null, isOurs: IsOurs): Promise<ScanResult>;

  /**
   * Asks the chain again about one transfer seen earlier: where it stands now, or null
   * when it is for certain in no block of the canonical chain any more. Rejects where the
   * node or wallet cannot tell: then nothing is known, and the caller asks again later.
   */
  recheck(transfer: SeenTransfer): Promise<ChainTransfer | null>;

  /**
   * Builds and signs a payment without sending it. The result is stored by the caller and
   * then only ever broadcast as it is. `nonce` is used by Ethereum; see `getNextNonce`.
   * Throws `PaymentRefusedError` where it must never be made (invalid or blocked address);
   * any other error means that nothing was built and it may be tried again.
   */
  preparePayment(request: PaymentRequest): Promise<PreparedPayment>;

  /** The nonce that the chain would accept next from our signer; null where there are none. */
  getNextNonce(): Promise<number | null>;

  /** Ethereum: the address that signs; MobileCoin: the account id. One payment at a time is prepared per signer. */
  readonly signer: string;

  /**
   * Sends the stored bytes. Sending them again is harmless. Resolves when the node took
   * them or already knew them; any rejection leaves the result unknown.
   */
  broadcast(payment: PreparedPayment): Promise<void>;

  /**
   * Where a prepared payment stands.
   * - `unknown`: not in a block and may still get there (not sent yet, or waiting).
   * - `in_block`: with that many confirmations.
   * - `reverted`: in a block and without effect (Ethereum: status 0). Certain.
   * - `impossible`: can never be in a block (MobileCoin: tombstone passed on a synced
   *   wallet and the output is not in the ledger; Ethereum: its nonce was used by another
   *   transaction). Certain; only then may a new payment be prepared.
   */
  getPaymentState(payment: PreparedPayment): Promise<PaymentState>;

  /**
   * Ethereum: the same payment signed anew with the same nonce and a higher fee, or null
   * when none is needed. The caller stores it before sending. MobileCoin: always null.
   */
  bumpPayment(payment: PreparedPayment): Promise<PreparedPayment | null>;
};

/** Opaque to the exchange, JSON-safe, stored as it is. */
export type ScanCursor = { height: number; hash?: string };

/** Cost independent of how many addresses are watched: asked per transfer found, in one go. */
export type IsOurs = (addresses: string[]) => Promise<Set<string>>;

/**
 * Ethereum: `logIndex` says which of the transaction's transfers of our token it is, from 0.
 * The chain's own log index counts within the block and changes when a reorg puts the
 * transaction into another one; this does not, so that nothing is credited under two keys.
 */
export type TransferKey = { txHash: string; logIndex: number };

/** A transfer and the block in which it was last seen. */
export type SeenTransfer = TransferKey & { blockNumber: number };

/** One transfer of exactly our token on this chain to one of our addresses, value > 0. */
export type ChainTransfer = SeenTransfer & {
  /** In the form in which `assignFundingAddress` gave it. */
  address: string;
  amount: bigint;
  blockHash: string;
  /** Null where the chain tells no time (MobileCoin): the caller takes the time it first saw it. */
  blockTime: Date | null;
  confirmations: number;
  /** For people: Ethereum the tx hash; MobileCoin the txo's public key. */
  displayHash: string;
};

export type ScanResult = {
  transfers: ChainTransfer[];
  cursor: ScanCursor;
  /** True when the scan reached the head; false when there is more to read at once. */
  caughtUp: boolean;
  /** Time of the last block read; deadlines may fire only when it is past them. Null when not synced. */
  scannedThrough: Date | null;
};

export type PaymentRequest = { paymentId: string; to: string; amount: bigint; nonce: number | null };

/** JSON-safe. `raw` holds what is sent: the signed transaction, or the whole tx proposal. */
export type PreparedPayment = {
  to: string;
  /** Base units as a decimal string. */
  amount: string;
  hash: string;
  nonce: number | null;
  raw: unknown;
  /** What the payment costs us on the chain in the asset itself, base units ("0" on Ethereum). */
  networkFee: string;
};

export type PaymentState =
  | { state: "unknown" }
  | { state: "in_block"; blockNumber: number; blockHash: string | null; confirmations: number }
  | { state: "reverted" }
  | { state: "impossible" };

/** The chain will never take this payment, or its money would be lost; nothing was or will be sent. */
export class PaymentRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PaymentRefusedError";
  }
}
