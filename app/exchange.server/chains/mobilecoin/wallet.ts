import { type FullService, FullServiceError } from "./full-service";
import { type AccountStatus, type AssignedAddress, responses } from "./full-service-responses";

/** Token id of MOB. Other tokens (eUSD is 1) can arrive at the same addresses and are ignored. */
export const mobTokenId = "0";

/**
 * How many of the newest addresses to check for one that an earlier call, whose response was lost, has already assigned
 * to the same reference. Before the customer tries again, others may have locked quotes. If the address is missed, its
 * index stays unused, which is harmless.
 */
const recentAddresses = 32;

/**
 * An address's metadata ends with the order's funding index, which shows whether this database gave it out. The wallet
 * keeps this text, so its form must not change.
 */
const indexPrefix = "number ";
const indexPattern = new RegExp(`${indexPrefix}(\\d{1,15})$`);

/** Higher subaddress indices are reserved: change, gift codes, invalid. */
const maxAssignedIndex = BigInt(Number.MAX_SAFE_INTEGER);
const maxCached = 20_000;

export type MobilecoinWallet = ReturnType<typeof createMobilecoinWallet>;

/**
 * One account of the wallet: its status and its addresses. Caches up to 20,000 addresses.
 * Every call may reject with `FullServiceError`.
 */
export function createMobilecoinWallet(
  service: FullService,
  { accountId, fogServers }: { accountId: string; fogServers: readonly string[] | null },
) {
  const addressByIndex = new Map<number, string>();
  /** The newest addresses by their index. Assigned addresses never change. */
  const recent = new Map<number, AssignedAddress>();

  const getStatus = () => service.call("get_account_status", { account_id: accountId }, responses.accountStatus);

  const getAssigned = async (index: number) => {
    const params = { account_id: accountId, index };
    return (await service.call("get_address_for_account", params, responses.address)).address;
  };

  const cache = (address: { subaddress_index: bigint; public_address_b58: string }): string => {
    if (addressByIndex.size >= maxCached) addressByIndex.clear();
    addressByIndex.set(Number(address.subaddress_index), address.public_address_b58);
    return address.public_address_b58;
  };

  const remember = (address: AssignedAddress) => recent.set(Number(address.subaddress_index), address);

  /**
   * The `recentAddresses` newest addresses. Includes those assigned by another process, or by a call whose response was
   * lost.
   */
  const readRecent = async () => {
    const next = Number((await getStatus()).account.next_subaddress_index);
    // full-service assigns from 2: index 0 is the main address, and 1 is the legacy change address.
    const first = Math.max(2, next - recentAddresses);
    for (const index of recent.keys()) if (index < first || index >= next) recent.delete(index);
    const indexes = Array.from({ length: Math.max(0, next - first) }, (_, i) => first + i);
    const read = await Promise.all(indexes.filter((index) => !recent.has(index)).map(getAssigned));
    for (const address of read) remember(address);
    return [...recent.values()];
  };

  return {
    service,
    accountId,
    /** The Fog report servers that a paid address may name; null: any. */
    fogServers,
    getStatus,

    /** Assigns an address with a reference. Idempotent while that address is among the `recentAddresses` newest. */
    async assign({
      reference,
      index,
    }: {
      reference: string;
      index: number;
    }): Promise<{ address: string; index: number }> {
      const start = `${reference} ${indexPrefix}`;
      const existing = (await readRecent()).find((address) => address.metadata.startsWith(start));
      if (existing) return { address: cache(existing), index: Number(existing.metadata.slice(start.length)) };
      const params = { account_id: accountId, metadata: `${start}${index}` };
      const { address } = await service.call("assign_address_for_account", params, responses.address);
      remember(address);
      return { address: cache(address), index };
    },

    /** Implements `ChainGateway.getNewestFundingIndex`. Earlier versions stored no index with an address. */
    async getNewestFundingIndex(): Promise<number | null> {
      const addresses = await readRecent();
      if (addresses.length === 0) return 0;
      const indexes = addresses.flatMap(({ metadata }) => indexPattern.exec(metadata)?.[1] ?? []);
      return indexes.length === 0 ? null : Math.max(...indexes.map(Number));
    },

    /** Implements `ChainGateway.knowsFundingAddress`. The address may belong to another account of the wallet. */
    async knows(address: string): Promise<boolean> {
      try {
        const found = await service.call("get_address", { public_address_b58: address }, responses.address);
        return found.address.account_id === accountId;
      } catch (error) {
        if (error instanceof FullServiceError && error.is("AssignedSubaddressNotFound")) return false;
        throw error;
      }
    },

    /** The address a txo was received at; null for the main address, change, and addresses that are not assigned. */
    async toAddress(subaddressIndex: bigint | null): Promise<string | null> {
      if (subaddressIndex === null || subaddressIndex === 0n || subaddressIndex > maxAssignedIndex) return null;
      const index = Number(subaddressIndex);
      const cached = addressByIndex.get(index);
      if (cached !== undefined) return cached;
      return cache(await getAssigned(index));
    },
  };
}

/** The first block that the wallet has not downloaded or the account has not scanned. */
export function toReadableHeight({ local_block_height, account }: AccountStatus): number {
  return Math.min(local_block_height, account.next_block_index);
}

/** The block that contains an output, found by the output's public key; null if no block contains it yet. */
export async function findOutputBlock({ service }: MobilecoinWallet, publicKey: string): Promise<number | null> {
  try {
    const params = { public_key: publicKey };
    return (await service.call("get_txo_block_index", params, responses.blockIndex)).block_index;
  } catch (error) {
    if (error instanceof FullServiceError && error.is("LedgerDB") && error.is("NotFound")) return null;
    throw error;
  }
}

/**
 * Whether the wallet has downloaded the network's ledger and the account has scanned it. If full-service runs with
 * `--offline`, it does not know the network's height and reports 0.
 */
export function isSynced(status: AccountStatus): boolean {
  return (
    status.network_block_height > 0 &&
    status.local_block_height >= status.network_block_height - 1 &&
    status.account.next_block_index >= status.local_block_height
  );
}
