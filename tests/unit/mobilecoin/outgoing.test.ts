import { describe, expect, it } from "vitest";
import type { FullService } from "~/exchange.server/chains/mobilecoin/full-service";
import { listOutgoing } from "~/exchange.server/chains/mobilecoin/outgoing";
import { createMobilecoinWallet } from "~/exchange.server/chains/mobilecoin/wallet";

const height = 100_000;
const key = (number: number) => number.toString(16).padStart(64, "0");
const range = { from: height - 5_000, isThorough: true };

/** A log of a payment that was submitted in a block; null: not recorded as submitted. */
const toLog = (number: number, submitted: number | null, status = "succeeded") => ({
  status,
  submitted_block_index: submitted === null ? null : String(submitted),
  finalized_block_index: submitted === null ? null : String(submitted + 1),
  tombstone_block_index: String((submitted ?? height - 50) + 100),
  output_txos: [
    { public_key: key(number), amount: { value: "5", token_id: "0" }, recipient_public_address_b58: "receiver" },
  ],
  change_txos: [],
});

/** A wallet with these logs. It lists them in the same order as full-service. */
function open(logs: ReturnType<typeof toLog>[], onPage: (read: number) => void = () => undefined) {
  const service: FullService = {
    async call(method, params, schema) {
      if (method === "get_transaction_logs") {
        const { min_block_index, offset, limit } = params as Record<string, number | string | undefined>;
        const isListed = ({ submitted_block_index: block }: (typeof logs)[number]) =>
          min_block_index === undefined || (block !== null && Number(block) >= Number(min_block_index));
        const page = logs.filter(isListed).slice(Number(offset), Number(offset) + Number(limit));
        onPage(page.length);
        const map = Object.fromEntries(page.map((log) => [log.output_txos[0]?.public_key ?? "", log]));
        return schema.parse({ transaction_log_ids: Object.keys(map), transaction_log_map: map });
      }
      if (method === "get_txos") return schema.parse({ txo_ids: [], txo_map: {} });
      if (method === "get_txo_block_index") return schema.parse({ block_index: String(height - 20) });
      if (method !== "get_account_status") throw new Error(method);
      return schema.parse({
        account: {
          ...{ id: "a", first_block_index: "0", next_block_index: String(height), next_subaddress_index: "2" },
          ...{ main_address: "main", fog_enabled: false, view_only: false },
        },
        network_block_height: String(height),
        local_block_height: String(height),
        balance_per_token: { "0": { max_spendable: "0", unspent: "0", pending: "0" } },
      });
    },
  };
  return createMobilecoinWallet(service, { accountId: "a", fogServers: null });
}

const hashes = async (...args: Parameters<typeof open>) =>
  (await listOutgoing(open(...args), range)).payments.map(({ hash }) => hash);

/** A payment in every twentieth block, the newest first. */
const submitted = Array.from({ length: 5_000 }, (_, i) => toLog(i, height - 2 - i * 20));
const inRange = submitted.filter((log) => Number(log.finalized_block_index) >= range.from);

describe("the payments of a wallet, read thoroughly", () => {
  const keysInRange = inRange.map((log) => log.output_txos[0]?.public_key);

  it("are read without the logs of payments that were submitted long before", async () => {
    let read = 0;
    expect(await hashes(submitted, (count) => (read += count))).toEqual(keysInRange);
    expect(read).toBeLessThan(1_300);
  });

  it.each([0, 1, 499, 500, 1_777, 5_000])(
    "include those not recorded as submitted, which follow after %i others",
    async (before) => {
      const unsubmitted = [toLog(6_000, null, "built"), toLog(6_001, null, "failed")];
      const found = await hashes([...submitted.slice(0, before), ...unsubmitted]);
      const others = keysInRange.slice(0, before);
      expect(found.toSorted()).toEqual([...others, key(6_000), key(6_001)].toSorted());
    },
  );

  it("include those not recorded as submitted if a wallet lists them first", async () => {
    const found = await hashes([toLog(6_000, null, "built"), ...submitted]);
    expect(found.toSorted()).toEqual([...keysInRange, key(6_000)].toSorted());
  });

  it("include a payment that is called failed, was submitted before, and is in a block of the range", async () => {
    const late = { ...toLog(7_000, range.from - 20_000, "failed"), tombstone_block_index: String(range.from + 100) };
    expect(await hashes([late])).toEqual([key(7_000)]);
  });
});
