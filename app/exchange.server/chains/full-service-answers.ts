import { z } from "zod";

/**
 * The answers of full-service's wallet API v2 that we read (full-service 2.10.9,
 * src/json_rpc/v2/models). Every u64 is a decimal string there; heights and block indices
 * become numbers here, amounts bigint pico-MOB. Members that we do not read are ignored.
 */
const u64 = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,19})$/)
  .transform(BigInt);
const height = u64.transform(Number).refine(Number.isSafeInteger);
const key = z.string().regex(/^[0-9a-f]{64}$/);

const txo = z.object({
  id: z.string().min(1),
  value: u64,
  token_id: z.string(),
  received_block_index: height.nullable(),
  /** Null while the txo belongs to no address that this wallet has assigned. */
  subaddress_index: u64.nullable(),
  /** Behind the protobuf prefix `0a20`; `payload_txos` has the same key without it (fact 39). */
  public_key: z
    .string()
    .regex(/^(0a20)?[0-9a-f]{64}$/)
    .transform((hex) => hex.slice(-64)),
});

export const answers = {
  networkStatus: z.object({ network_status: z.object({ network_info: z.object({ chain_id: z.string() }) }) }),
  accountStatus: z.object({
    account: z.object({
      id: z.string(),
      first_block_index: height,
      next_block_index: height,
      next_subaddress_index: u64,
      fog_enabled: z.boolean(),
      view_only: z.boolean(),
      require_spend_subaddress: z.boolean().default(false),
    }),
    network_block_height: height,
    local_block_height: height,
    balance_per_token: z.record(z.object({ unspent: u64, pending: u64 })),
  }),
  address: z.object({
    address: z.object({ public_address_b58: z.string().min(1), metadata: z.string(), subaddress_index: u64 }),
  }),
  txo: z.object({ txo }),
  txos: z.object({ txo_ids: z.array(z.string()), txo_map: z.record(txo) }),
  blockIndex: z.object({ block_index: height }),
  /** The proposal is kept as it came: only that very object is ever submitted. */
  built: z.object({ tx_proposal: z.record(z.unknown()), transaction_log_id: z.string().min(1) }),
  submitted: z.object({}),
};

const output = z.object({
  tx_out_public_key: key,
  amount: z.object({ value: u64, token_id: z.string() }),
  recipient_public_address_b58: z.string(),
});

export const proposal = z.object({
  payload_txos: z.array(output),
  fee_amount: z.object({ value: u64, token_id: z.string() }),
  tombstone_block_index: height,
});

export type AccountStatus = z.output<typeof answers.accountStatus>;
export type WalletTxo = z.output<typeof txo>;
