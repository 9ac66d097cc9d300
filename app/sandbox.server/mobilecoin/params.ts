import { z } from "zod";

/** Parameters of the wallet's methods. u64 values are decimal strings, never JSON numbers. */
const u64 = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,19})$/)
  .transform(BigInt)
  .refine((value) => value < 2n ** 64n);
const blockIndex = u64.transform(Number);
const amount = z.object({ value: u64, token_id: z.string() });
const account = z.object({ account_id: z.string() });
const page = z.object({ offset: z.number().int().min(0).optional(), limit: z.number().int().min(0).optional() });

export const params = {
  none: z.object({}),
  page,
  account,
  assignAddress: account.extend({ metadata: z.string().nullish() }),
  addressAtIndex: account.extend({ index: z.number().int() }),
  listOfAccount: account.partial().merge(page),
  listLogs: account.partial().merge(page).extend({ min_block_index: blockIndex.optional() }),
  txo: z.object({ txo_id: z.string() }),
  listTxos: account.partial().merge(page).extend({
    address: z.string().optional(),
    status: z.string().optional(),
    token_id: z.string().optional(),
    min_received_block_index: blockIndex.optional(),
    max_received_block_index: blockIndex.optional(),
  }),
  publicKey: z.object({ public_key: z.string().regex(/^[0-9a-f]{64}$/) }),
  address: z.object({ address: z.string() }),
  assignedAddress: z.object({ public_address_b58: z.string() }),
  b58: z.object({ b58_code: z.string() }),
  build: account.extend({
    recipient_public_address: z.string().optional(),
    amount: amount.optional(),
    addresses_and_amounts: z.array(z.tuple([z.string(), amount])).optional(),
    tombstone_block: blockIndex.optional(),
    comment: z.string().optional(),
  }),
  submit: z.object({
    tx_proposal: z.object({ tx_proto: z.string() }),
    account_id: z.string().nullish(),
    comment: z.string().nullish(),
  }),
  log: z.object({ transaction_log_id: z.string() }),
};

export type BuildParams = z.output<typeof params.build>;
export type ListTxosParams = z.output<typeof params.listTxos>;
