/** See `ChainGateway.assignFundingAddress`. */
export type AssignedFundingAddress = { address: string; index: number; isUsed: boolean };

/**
 * The exchange's interface to a chain, implemented by `ethereum/` and `mobilecoin/`. No
 * other part of the exchange depends on a chain's protocol. Amounts are bigint base units.
 *
 * A gateway only talks to its node or wallet over HTTP; it never touches the database.
 * State that must survive a crash is returned as data, and the caller stores it before the
 * next step.
 */
export type ChainGateway = {
  /** Confirmations after which a deposit is credited and a payment is final. */
  readonly requiredConfirmations: number;
  /** Confirmations after which reorgs can no longer remove a payment; until then, it is followed. */
  readonly settledConfirmations: number;
  /**
   * The value in base units that may be at risk in blocks that are not finalized, per order; see
   * `deposits/value-at-risk.ts`. Null: confirmations are enough for any amount.
   */
  readonly finalizedAbove: bigint | null;

  /**
   * Checks that the node or wallet matches the configuration (chain id, token decimals, account), and returns the
   * address of our wallet. Throws an error with a message for the operator if they do not match.
   */
  verify(): Promise<{ chainId: number | string; address: string }>;

  /**
   * Reads what identifies the newest blocks of the nodes or the wallet. As long as it stays the same, nothing on the
   * chain has changed.
   */
  readHead(): Promise<string>;

  /** Reads what our wallet can pay, what a payment costs, and whether anything blocks payments. */
  readWallet(): Promise<WalletState>;

  /**
   * Reads the balances of our wallet and of these funding addresses at one block, to compare them with the books. On
   * Ethereum, `height` selects an earlier block than the newest, if the nodes still have its state. Null while the
   * chain or the wallet is not in sync, or too few nodes agree.
   */
  readHoldings(fundingAddresses: string[], height?: number): Promise<Holdings | null>;

  /**
   * MobileCoin: a payment of as much as one transaction can spend to our own main address, which
   * merges those outputs into one; built but not sent, like every payment. Ethereum: null.
   */
  prepareConsolidation(): Promise<PreparedPayment | null>;

  /**
   * Lists the payments that our wallet has made since block `from` (inclusive), even if the exchange did not request
   * them. If `from` is null, the list is empty and only `through` is read. A gateway may read only some of the blocks,
   * and only those that enough nodes agree on: `through` is the last block read, or one before `from` if none was, and
   * less than `head` while a wallet is not in sync. With `isThorough`, MobileCoin also lists payments that the wallet
   * itself does not count as paid, which is slower.
   */
  listOutgoing(range: { from: number | null; isThorough: boolean }): Promise<OutgoingPayments>;

  /**
   * The hash of an address by which MobileCoin's memos name it, or null if the address is not valid. Null on Ethereum.
   * See `UnrecordedPayment`.
   */
  hashAddress(address: string): Promise<string | null>;

  /**
   * MobileCoin: the block of a payment of ours, by its `hash`; null if it is not in a block. Null on Ethereum. See
   * `UnrecordedPayment`.
   */
  findBlock(hash: string): Promise<number | null>;

  /**
   * Why an address must not be paid, as a sentence for its owner; or null. Ethereum: it is on Tether's blacklist.
   * MobileCoin: it is not valid, or its Fog server is not one of ours.
   */
  getReceiverBlockReason(to: string): Promise<string | null>;

  /**
   * Assigns a funding address to an order. Ethereum derives child `index` of the xpub. MobileCoin assigns a subaddress
   * with `reference` and `index` as metadata. If a response was lost, another call with the same reference returns the
   * same subaddress, and the index of the first call. `isUsed`: the chain or the wallet has seen the address before, so
   * it belongs to an order that this database does not have.
   */
  assignFundingAddress(order: { reference: string; index: number }): Promise<AssignedFundingAddress>;

  /** The funding address at an index, derived without a node. Null on MobileCoin, where the wallet assigns it. */
  deriveFundingAddress(index: number): string | null;

  /**
   * The highest `index` among the wallet's newest funding addresses, or 0 if it has none. Null if their indexes are not
   * known, and on Ethereum, where addresses are derived and not listed.
   */
  getNewestFundingIndex(): Promise<number | null>;

  /**
   * Whether our wallet sees what arrives at a funding address. MobileCoin: false if the account has not assigned it, as
   * after it was imported again. Ethereum: always true.
   */
  knowsFundingAddress(address: string): Promise<boolean>;

  /** The payment URI of a funding address (EIP-681, or `mob:///b58/…`), for a QR code. */
  toPaymentUri(address: string, amount: bigint): string;

  /** A link that opens a wallet on the same device, with the address and the exact amount. */
  toWalletLink(address: string, amount: bigint): string;

  /**
   * Finds transfers of the asset after `cursor` to the addresses selected by
   * `matchAddresses`. Each scan overlaps the last one, so a transfer may be returned more than once. The caller stores
   * the new cursor in the same transaction as the transfers. `startedAt` is the database's time before the scan. A
   * chain without block times returns it as `scannedThrough`, so that deadlines do not depend on the clock of a
   * process.
   */
  scan(cursor: ScanCursor | null, matchAddresses: MatchAddresses, startedAt?: Date): Promise<ScanResult>;

  /**
   * Reads a range of blocks again, for an operator. A gateway may read only its first blocks:
   * `through` is the last block read, or the one before `from` when none was.
   */
  readRange(range: { from: number; to: number }, matchAddresses: MatchAddresses): Promise<RangeResult>;

  /**
   * Looks up known transfers again and returns one result for each: the transfer, null if it is certainly no longer in
   * the canonical chain, or an error if the node or wallet cannot respond, so the caller must retry later. Sends one
   * request per transaction or block, because one transaction can contain thousands of transfers.
   */
  recheck(transfers: readonly SeenTransfer[]): Promise<(ChainTransfer | null | Error)[]>;

  /**
   * Returns the addresses that have a pending payment. Do not rely on it: a node may not know about a pending payment,
   * and the payment may never confirm. Empty on MobileCoin, where pending transactions are not visible.
   */
  findPending(addresses: readonly string[]): Promise<Set<string>>;

  /**
   * Builds and signs a payment without sending it. The caller stores the result and only
   * ever broadcasts exactly those bytes. `nonce` is used by Ethereum; see `getNextNonce`.
   * @throws PaymentRefusedError when the payment must never be made (invalid or blocked address), FragmentedFundsError
   *   when the funds must be merged first, PaymentsWaitError when payments cannot be made now. After any other error
   *   nothing was built and the caller may try again.
   */
  preparePayment(request: PaymentRequest): Promise<PreparedPayment>;

  /** The next nonce the chain expects from our signer; null on a chain without nonces. */
  getNextNonce(): Promise<number | null>;

  /**
   * The nonce after our signer's last transaction in the blocks up to `height`. Less than `getNextNonce` while
   * transactions are waiting; null on a chain without nonces.
   */
  getMinedNonce(height: number): Promise<number | null>;

  /** Ethereum: the signing address. MobileCoin: the account id. Payments are prepared one at a time per signer. */
  readonly signer: string;

  /**
   * Sends the stored bytes; safe to repeat. Resolves when the node has accepted them or already knew them. After a
   * rejection the outcome is unknown.
   * @throws BroadcastRefusedError when the network has responded and does not accept this payment
   */
  broadcast(payment: PreparedPayment): Promise<void>;

  /**
   * Ethereum: a signed transaction without effect that has the payment's nonce and a higher
   * fee. Once one of the two is in a block, the other can never be. The caller stores it before sending it. MobileCoin:
   * null, because a payment becomes impossible at its tombstone block.
   */
  prepareCancellation(payment: PreparedPayment): Promise<PreparedPayment | null>;

  /**
   * The state of a prepared payment on the chain.
   * - `unknown`: not in a block, but it may still be included.
   * - `in_block`: included, with the given number of confirmations. `disputed`: too few nodes agree
   *   on it, and the confirmations are fewer than a final payment has.
   * - `reverted`: included without effect (Ethereum: status 0). Certain.
   * - `impossible`: can never be included. MobileCoin: a synced wallet is past the tombstone
   *   and the output is not in the ledger. Ethereum: another transaction used its nonce.
   *   Certain.
   *
   * Only after `reverted` or `impossible` may the caller prepare a replacement.
   *
   * `includedAs` is the hash of a transaction that may be a version of this payment that the caller no longer has.
   * Ethereum: the state of that transaction, or `unknown` if it is not the same transfer with the same nonce.
   * MobileCoin ignores it, because it has one version of each payment.
   */
  getPaymentState(payment: PreparedPayment, includedAs?: string): Promise<PaymentState>;

  /**
   * Ethereum: the same payment or cancellation, signed again with the same nonce and a higher fee; null if a higher fee
   * is not needed or not allowed. `refused`: the network did not accept it because of its fee, which may then be raised
   * up to the configured maximum. The caller stores it before sending it. MobileCoin: always null.
   */
  bumpPayment(payment: PreparedPayment, options?: { refused?: boolean }): Promise<PreparedPayment | null>;
};

/**
 * Where the next scan continues; stored as JSON. `height` is the last block read on Ethereum, and the first unread one
 * on MobileCoin. `timeMs` is the time of the block `hash`, which a majority of the nodes returned. `first` is the first
 * block ever scanned: earlier payments cannot be for an order of this database. `secondPassAt` is when blocks behind the
 * cursor were last read again, in ms: this counts only once that scan is stored.
 */
export type ScanCursor = {
  height: number;
  hash?: string;
  timeMs?: number;
  first?: { height: number; hash: string };
  secondPassAt?: number;
};

/**
 * Returns the given addresses that belong to the exchange. A scan passes the addresses of the transfers it found, so
 * its cost does not depend on how many are watched.
 */
export type MatchAddresses = (addresses: string[]) => Promise<Set<string>>;

/**
 * Identifies a transfer. On Ethereum `ordinal` numbers the token transfers within their
 * transaction, from 0. The chain's own log index counts within the block and changes when a
 * reorg moves the transaction; the ordinal does not, so no transfer is credited twice.
 */
export type TransferKey = { txHash: string; ordinal: number };

/** A transfer and the block it was last seen in. */
export type SeenTransfer = TransferKey & { blockNumber: number };

/** A transfer of exactly our token on this chain to one of our addresses, with an amount above 0. */
export type ChainTransfer = SeenTransfer & {
  /** Formatted as `assignFundingAddress` returned it. */
  address: string;
  /** Base units. */
  amount: bigint;
  blockHash: string;
  /**
   * The chain's own log index, which counts within the block. With block hash and transaction
   * hash it identifies the log on the chain. MobileCoin: 0, because `txHash` is the txo's id.
   */
  blockLogIndex: number;
  /** Null on a chain without block times (MobileCoin): the caller uses the time it first saw the transfer. */
  blockTime: Date | null;
  confirmations: number;
  /** True when too few nodes agree on it: it must neither be credited nor taken back. */
  disputed?: boolean;
  /** The hash to show to people. Ethereum: the transaction hash. MobileCoin: the txo's public key. */
  displayHash: string;
};

export type ScanResult = {
  transfers: ChainTransfer[];
  cursor: ScanCursor;
  /**
   * The first block whose known deposits this scan has read again. Deposits in earlier blocks are not expected among
   * its transfers. MobileCoin: the first unread block, because blocks cannot change.
   */
  readFrom: number;
  /** The highest block that can no longer be removed by a reorg; null when it is not known. */
  finalizedHeight: number | null;
  /** True when the scan reached the head; false when there is more to read now. */
  caughtUp: boolean;
  /** Time of the last block read; only earlier deadlines apply. Null if the node is not in sync. */
  scannedThrough: Date | null;
};

/** `through`: the last block read; one before the first if none was. */
export type RangeResult = { transfers: ChainTransfer[]; through: number };

/** Amounts in base units of the asset. */
export type WalletState = {
  /** What our wallet could send in total; it may take several payments. */
  spendable: bigint;
  /**
   * The largest single payment. MobileCoin: less than `spendable` if the funds are in more outputs than one transaction
   * can spend.
   */
  maxPayment: bigint;
  /** The current network fee of one payment, with a margin. 0 if the configured fee already covers it. */
  paymentCost: bigint;
  /** Why our wallet cannot pay now (token paused, our wallet blacklisted…), as a sentence for the operator; or null. */
  paymentBlockReason: string | null;
  /**
   * Our ether, and the most that one payment would cost now, in wei. Null on MobileCoin, where MOB pays for a payment.
   */
  ether: { wei: bigint; perPayment: bigint } | null;
};

/** Base units. MobileCoin: deposits arrive in the wallet itself, so nothing is at funding addresses. */
export type Holdings = { height: number; wallet: bigint; atAddresses: Map<string, bigint> };

/**
 * `hash` as in `PreparedPayment`; `amount` in base units; `head`: the newest block. `isConsolidation`: it merged
 * or split outputs of our own wallet, which has lost only the network fee. `feeWith`: the hash of another payment of
 * the same MobileCoin transaction, which has one network fee.
 */
export type OutgoingPayments = {
  payments: { hash: string; to: string; amount: bigint; isConsolidation?: boolean; feeWith?: string }[];
  unrecorded: UnrecordedPayment[];
  through: number;
  head: number;
};

/**
 * MobileCoin: a payment that is missing from the wallet's records, because the wallet was restored, or because another
 * wallet has our keys. It is found by its change output: `block` is the block of that output, and `hash` its public key
 * (`changeHash` of a prepared payment). The memo of the change has a hash of the receiver (`hashAddress`) and the
 * amount in base units; both are null without such a memo. If there were several receivers, the amount is their total,
 * and `receiverHash` is null.
 */
export type UnrecordedPayment = {
  hash: string;
  block: number | null;
  receiverHash: string | null;
  amount: bigint | null;
  isConsolidation?: boolean;
};

/** A payment to prepare; `amount` in base units. */
export type PaymentRequest = {
  paymentId: string;
  to: string;
  amount: bigint;
  nonce: number | null;
  /**
   * Ethereum: what our earlier payments that are not in a block yet will take from the balance. 0 if there are none.
   */
  outgoing?: bigint;
};

/** A signed payment, safe to store as JSON. */
export type PreparedPayment = {
  to: string;
  /** Base units as a decimal string. */
  amount: string;
  hash: string;
  nonce: number | null;
  /** What is sent: the signed transaction, or the whole transaction proposal. */
  raw: unknown;
  /** Our network cost in the asset itself, in base units as a decimal string ("0" on Ethereum). */
  networkFee: string;
  /** MobileCoin: the public key of the change output, if there is one. */
  changeHash?: string;
};

export type PaymentState =
  | { kind: "unknown" }
  | { kind: "in_block"; blockNumber: number; blockHash: string | null; confirmations: number; disputed?: boolean }
  | { kind: "reverted" }
  | { kind: "impossible" };

/** The funds are there, but spread over more outputs than one transaction can spend. Nothing was built. */
export class FragmentedFundsError extends Error {
  override readonly name = "FragmentedFundsError";
}

/**
 * Payments cannot be made now, whatever the receiver and amount, except perhaps a smaller one on MobileCoin. Nothing was
 * built.
 */
export class PaymentsWaitError extends Error {
  override readonly name = "PaymentsWaitError";
  /** What the operator should do if it lasts. */
  readonly action: string;

  constructor(message: string, { action, ...options }: ErrorOptions & { action: string }) {
    super(message, options);
    this.action = action;
  }
}

/** The chain would never accept this payment, or its money would be lost. Nothing was sent or ever will be. */
export class PaymentRefusedError extends Error {
  override readonly name = "PaymentRefusedError";
}

/**
 * The network has responded and refused a payment: because of its fee (`fee`), in which case a higher fee may help, or
 * for another reason (`payment`). A node may have the payment anyway.
 */
export class BroadcastRefusedError extends Error {
  constructor(
    readonly reason: "fee" | "payment",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "BroadcastRefusedError";
  }
}
