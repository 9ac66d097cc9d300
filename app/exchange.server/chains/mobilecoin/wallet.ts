import type { Holdings } from "../gateway";
import { type FullService, FullServiceError } from "./full-service";
import { type AccountStatus, responses } from "./full-service-responses";

/** Token id of MOB. Other tokens (eUSD is 1) can arrive at the same addresses and are ignored. */
export const mobTokenId = "0";

/**
 * How many recent addresses to check for one already assigned to the same order, by a call
 * whose response was lost. The retry follows immediately, so the address is among the
 * newest. If it is missed, an index stays unused, which is harmless.
 */
const recentAddresses = 4;

/** An address's metadata ends with the number of its order, which tells whether the database knows it. */
const numberPrefix = "number ";
const numberPattern = new RegExp(`${numberPrefix}(\\d{1,15})$`);

/** Higher subaddress indices are reserved: change, gift codes, invalid. */
const maxAssignedIndex = BigInt(Number.MAX_SAFE_INTEGER);
const maxCached = 20_000;

export type MobilecoinWallet = ReturnType<typeof createMobilecoinWallet>;

/**
 * One account of the wallet: its status and its addresses. Caches up to 20,000 addresses.
 * Every call may reject with `FullServiceError`.
 */
export function createMobilecoinWallet(service: FullService, accountId: string) {
  const addressByIndex = new Map<number, string>();

  const getStatus = () => service.call("get_account_status", { account_id: accountId }, responses.accountStatus);

  /** The address at an index; null if none was assigned. */
  const getAssigned = async (index: number) => {
    try {
      const params = { account_id: accountId, index };
      return (await service.call("get_address_for_account", params, responses.address)).address;
    } catch (error) {
      if (error instanceof FullServiceError && error.is("AssignedSubaddressNotFound")) return null;
      throw error;
    }
  };

  const cache = (address: { subaddress_index: bigint; public_address_b58: string }): string => {
    if (addressByIndex.size >= maxCached) addressByIndex.clear();
    addressByIndex.set(Number(address.subaddress_index), address.public_address_b58);
    return address.public_address_b58;
  };

  /** The `recentAddresses` newest addresses. */
  const readRecent = async () => {
    const next = Number((await getStatus()).account.next_subaddress_index);
    // full-service assigns from 2: index 0 is the main address, and 1 is the legacy change address.
    const first = Math.max(2, next - recentAddresses);
    const recent = await Promise.all(
      Array.from({ length: Math.max(0, next - first) }, (_, i) => getAssigned(first + i)),
    );
    return recent.filter((address) => address !== null);
  };

  return {
    service,
    accountId,
    getStatus,

    /** Assigns an address to an order. Idempotent while that address is among the `recentAddresses` newest. */
    async assign({ orderId, index }: { orderId: string; index: number }): Promise<string> {
      const metadata = `${orderId} ${numberPrefix}${index}`;
      const existing = (await readRecent()).find((address) => address.metadata === metadata);
      if (existing) return cache(existing);
      const params = { account_id: accountId, metadata };
      return cache((await service.call("assign_address_for_account", params, responses.address)).address);
    },

    /** Implements `ChainGateway.getNewestOrderNumber`. Earlier versions stored no number with an address. */
    async getNewestOrderNumber(): Promise<number> {
      const numbers = (await readRecent()).map(({ metadata }) => numberPattern.exec(metadata)?.[1] ?? 0);
      return Math.max(0, ...numbers.map(Number));
    },

    /** The address a txo was received at; null for the main address, change, and unassigned indices. */
    async toAddress(subaddressIndex: bigint | null): Promise<string | null> {
      if (subaddressIndex === null || subaddressIndex === 0n || subaddressIndex > maxAssignedIndex) return null;
      const index = Number(subaddressIndex);
      const cached = addressByIndex.get(index);
      if (cached !== undefined) return cached;
      const address = await getAssigned(index);
      return address && cache(address);
    },
  };
}

/**
 * Implements `ChainGateway.readHoldings`. Pending outputs are inputs of payments that are not in a block
 * yet: until then they are ours.
 */
export async function readHoldings(wallet: MobilecoinWallet): Promise<Holdings | null> {
  const status = await wallet.getStatus();
  if (!isSynced(status)) return null;
  const balance = status.balance_per_token[mobTokenId];
  return {
    height: Math.min(status.local_block_height, status.account.next_block_index) - 1,
    wallet: balance ? balance.unspent + balance.pending : 0n,
    atAddresses: new Map(),
  };
}

/** Whether the wallet has downloaded the network's ledger and the account has scanned it. */
export function isSynced(status: AccountStatus): boolean {
  return (
    status.local_block_height >= status.network_block_height - 1 &&
    status.account.next_block_index >= status.local_block_height
  );
}
