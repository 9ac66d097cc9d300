import { z } from "zod";

/**
 * Schemas of the responses we use from full-service's wallet API v2 (full-service 2.10.9,
 * src/json_rpc/v2/models). It sends every u64 as a decimal string. Heights and block indices
 * are parsed to numbers, amounts to bigint pico-MOB. Members we do not use are ignored.
 */
const u64 = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,19})$/)
  .transform(BigInt);
const height = u64.transform(Number).refine(Number.isSafeInteger);
const key = z.string().regex(/^[0-9a-f]{64}$/);

/** A txo has the protobuf prefix `0a20` in its key, `payload_txos` have none. Parsed without it. */
const publicKey = z
  .string()
  .regex(/^(0a20)?[0-9a-f]{64}$/)
  .transform((hex) => hex.slice(-64));

/** What the wallet reads from the encrypted memo of its change: the payment that left it. Null for any other memo. */
const destination = z
  .object({
    Destination: z.object({
      /** The last one, if there are several receivers. */
      recipient_address_hash: z.string(),
      num_recipients: u64,
      fee: u64,
      total_outlay: u64,
    }),
  })
  .transform(({ Destination }) => Destination)
  .nullable()
  .catch(null);

const txo = z.object({
  id: z.string().min(1),
  value: u64,
  token_id: z.string(),
  received_block_index: height.nullable(),
  /** Null while the txo does not belong to an address that this wallet has assigned. */
  subaddress_index: u64.nullable(),
  public_key: publicKey,
  memo: destination,
});

export const responses = {
  networkStatus: z.object({
    network_status: z.object({ network_info: z.object({ chain_id: z.string(), offline: z.boolean().default(false) }) }),
  }),
  accountStatus: z.object({
    account: z.object({
      id: z.string(),
      first_block_index: height,
      next_block_index: height,
      next_subaddress_index: u64,
      main_address: z.string().min(1),
      fog_enabled: z.boolean(),
      view_only: z.boolean(),
      require_spend_subaddress: z.boolean().default(false),
    }),
    network_block_height: height,
    local_block_height: height,
    balance_per_token: z.record(z.object({ max_spendable: u64, unspent: u64, pending: u64 })),
  }),
  address: z.object({
    address: z.object({
      public_address_b58: z.string().min(1),
      account_id: z.string(),
      metadata: z.string(),
      subaddress_index: u64,
    }),
  }),
  txo: z.object({ txo }),
  txos: z.object({ txo_ids: z.array(z.string()), txo_map: z.record(txo) }),
  addressHash: z.object({ address_hash: z.string().nullable() }),
  blockIndex: z.object({ block_index: height }),
  /** The proposal is not parsed further: exactly the object received is submitted. */
  built: z.object({ tx_proposal: z.record(z.unknown()), transaction_log_id: z.string().min(1) }),
  submitted: z.object({}),
};

const log = z.object({
  status: z.string(),
  submitted_block_index: height.nullable(),
  finalized_block_index: height.nullable(),
  tombstone_block_index: height.nullable(),
  output_txos: z.array(
    z.object({
      public_key: publicKey,
      amount: z.object({ value: u64, token_id: z.string() }),
      recipient_public_address_b58: z.string(),
    }),
  ),
  change_txos: z.array(z.object({ public_key: publicKey })),
});

/** A page of the wallet's own record of its payments. */
export const transactionLogs = z.object({
  transaction_log_ids: z.array(z.string()),
  transaction_log_map: z.record(log),
});
export type TransactionLog = z.output<typeof log>;

const output = z.object({
  tx_out_public_key: key,
  amount: z.object({ value: u64, token_id: z.string() }),
  recipient_public_address_b58: z.string(),
});

/** The parts of a transaction proposal that are checked before it is used. */
export const proposal = z.object({
  payload_txos: z.array(output),
  change_txos: z.array(z.object({ tx_out_public_key: key })),
  fee_amount: z.object({ value: u64, token_id: z.string() }),
  tombstone_block_index: height,
});

export type AccountStatus = z.output<typeof responses.accountStatus>;
export type WalletTxo = z.output<typeof txo>;
export type AssignedAddress = z.output<typeof responses.address>["address"];
