import { and, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import type { Holdings } from "../../chains/gateway";
import { type Database, queryRows } from "../../db/database";
import { deposits } from "../../db/schema/deposits";
import { orders } from "../../db/schema/orders";
import { depositIs, isCreditedInFull } from "../../deposits/deposit-state";
import { external } from "../../ledger/ledger";
import { isUncollected } from "./uncollected";

/** The subject of the alert about holdings that could not be read. */
export const uncheckedSubject = (asset: AssetSymbol) => `unchecked:${asset}` as const;

/** The cause of a stop for a shortage that our own payments may explain. It ends with the shortage. */
export const toUndecidedCause = (asset: AssetSymbol): string => `undecided:${asset}`;

/** What the chain shows about the rows in the database. */
export type Found = {
  height: number;
  /** The funding addresses whose balances were read. */
  addresses: string[];
  onTheWay: bigint;
  undecided: bigint;
  /** The deposits that are not credited yet and are certainly there. */
  arrived: string[];
};

export type Books = {
  asset: AssetSymbol;
  owed: bigint;
  /** The total of open payments for which too few nodes agree on whether they are in a block. */
  undecided: bigint;
  uncredited: bigint;
  /** The part of `uncredited` that was found to be there. */
  arrived: bigint;
  /** The total of confirmed payments that are no longer in a block. */
  paymentsOffChain: bigint;
  /** Whether the opening balance was posted. */
  areOpen: boolean;
  /** Whether the last comparison explained everything, and payments are not stopped because of an earlier one. */
  wasExplained: boolean;
};

/** SQL condition: a missing deposit is in a block again, or could not be looked up. */
const mayBeBack = and(or(depositIs.missing, depositIs.written_off), isNotNull(deposits.recheckSince));

/** Leaves out later blocks, and addresses whose balances were not read. */
export const selectBooks = (
  asset: AssetSymbol,
  { height, addresses, arrived }: Pick<Found, "height" | "addresses" | "arrived">,
): SQL =>
  sql`select coalesce((select -balance from ledger_accounts where asset = ${asset} and code = ${external}), 0)::text as booked,
          coalesce((select sum(coalesce(lost_amount, amount)) from ${deposits} where asset = ${asset}
                     and (${depositIs.missing} or (${isCreditedInFull} and block_number > ${height}))), 0)::text as later,
          ${asset === "MOB" ? sql`0` : sumUnread(asset, { height, addresses })}::text as unread,
          coalesce((select sum(amount) from ${deposits} where asset = ${asset}
                     and (${depositIs.pending} or ${mayBeBack})), 0)::text as uncredited,
          coalesce((select sum(amount) from ${deposits} where asset = ${asset} and ${depositIs.pending}
                     and id in (select jsonb_array_elements_text(${JSON.stringify(arrived)}::jsonb))), 0)::text as arrived,
          coalesce((select sum(amount) from payments where asset = ${asset} and status = 'confirmed'
                     and missing_since is not null), 0)::text as payments_off_chain,
          exists (select from ledger_accounts where asset = ${asset}) as open,
          (select short_since is null and surplus_since is null from reserve_checks where asset = ${asset})
            and not exists (select from switches where cause = ${toUndecidedCause(asset)})
            and not exists (select from alerts where subject = ${uncheckedSubject(asset)}) as explained`;

/**
 * Deposits that were recorded and credited while the balances were read, at addresses that had not received anything
 * before.
 */
const sumUnread = (asset: AssetSymbol, { height, addresses }: Pick<Found, "height" | "addresses">): SQL =>
  sql`coalesce((select sum(amount) from ${deposits}
                 where asset = ${asset} and ${isCreditedInFull} and ${isUncollected} and block_number <= ${height}
                   and (select funding_address from ${orders} where ${orders.id} = ${deposits.orderId})
                       not in (select jsonb_array_elements_text(${JSON.stringify(addresses)}::jsonb))), 0)`;

export async function readBooks(tx: Database, asset: AssetSymbol, found: Found): Promise<Books> {
  type Sum = "booked" | "later" | "unread" | "uncredited" | "arrived" | "payments_off_chain";
  type Row = Record<Sum, string> & { open: boolean; explained: boolean | null };
  const [row] = await queryRows<Row>(tx, selectBooks(asset, found));
  const read = (name: Sum) => BigInt(row?.[name] ?? "0");
  return {
    asset,
    // Credited deposits that a reorg removed are reported on their own.
    owed: read("booked") - read("later") - read("unread") - found.onTheWay,
    undecided: found.undecided,
    uncredited: read("uncredited"),
    // Deposits that were credited since the lookup are already owed.
    arrived: read("arrived"),
    paymentsOffChain: read("payments_off_chain"),
    areOpen: row?.open === true,
    wasExplained: row?.explained === true,
  };
}

export const sumUncollected = ({ atAddresses }: Holdings): bigint =>
  [...atAddresses.values()].reduce((sum, balance) => sum + balance, 0n);

type Comparison = {
  /** How much less we hold than the books and the deposits that were found to be there; negative if we hold more. */
  shortage: bigint;
  isShort: boolean;
  /** Whether nothing is missing even if every deposit that was seen is there. */
  isAllThere: boolean;
  /**
   * Whether we hold more, even if every deposit that was seen is there, and all payments that left the chain are
   * undone.
   */
  hasSurplus: boolean;
  isExplained: boolean;
};

/** Compares the books with our holdings on the chain. */
export function compare({ owed, arrived, uncredited, paymentsOffChain }: Books, holdings: Holdings): Comparison {
  const owned = holdings.wallet + sumUncollected(holdings);
  const isShort = owned < owed + arrived;
  const hasSurplus = owned > owed + uncredited + paymentsOffChain;
  return {
    shortage: owed + arrived - owned,
    isShort,
    isAllThere: owned >= owed + uncredited,
    hasSurplus,
    isExplained: !isShort && !hasSurplus,
  };
}
