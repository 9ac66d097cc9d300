import { type FullService, FullServiceError } from "./full-service";
import { type AccountStatus, answers } from "./full-service-answers";

/** pico-MOB; the only token that is ours. eUSD is 1 and lands on the same addresses (fact 31). */
export const mobTokenId = "0";

/**
 * How far back a funding address is looked for that was assigned to the same order by a
 * call whose answer was lost. The retry comes at once, so its address is among the newest;
 * one that is not found costs an unused index, which nobody was ever told.
 */
const recentAddresses = 4;

/** Subaddresses beyond this are reserved ones: change, gift codes, invalid (fact 19). */
const maxAssignedIndex = BigInt(Number.MAX_SAFE_INTEGER);
const maxCached = 20_000;

/** One account of the wallet: its state and its addresses. */
export type MobilecoinWallet = ReturnType<typeof createMobilecoinWallet>;

/** Addresses are looked up once and kept, at most 20,000 of them. @throws FullServiceError from every call */
export function createMobilecoinWallet(service: FullService, accountId: string) {
  const addressByIndex = new Map<number, string>();

  const getStatus = () => service.call("get_account_status", { account_id: accountId }, answers.accountStatus);

  /** The address at an index, or null where none was assigned. */
  const getAssigned = async (index: number) => {
    try {
      const params = { account_id: accountId, index };
      return (await service.call("get_address_for_account", params, answers.address)).address;
    } catch (error) {
      if (error instanceof FullServiceError && error.is("AssignedSubaddressNotFound")) return null;
      throw error;
    }
  };

  const remember = (address: { subaddress_index: bigint; public_address_b58: string }): string => {
    if (addressByIndex.size >= maxCached) addressByIndex.clear();
    addressByIndex.set(Number(address.subaddress_index), address.public_address_b58);
    return address.public_address_b58;
  };

  return {
    service,
    accountId,
    getStatus,

    /** Idempotent by the order id for as long as the address is among the newest (`recentAddresses`). */
    async assign(orderId: string): Promise<string> {
      const next = Number((await getStatus()).account.next_subaddress_index);
      // full-service begins at 2: 0 is the main address, and 1 was the change address once.
      const first = Math.max(2, next - recentAddresses);
      const recent = await Promise.all(
        Array.from({ length: Math.max(0, next - first) }, (_, i) => getAssigned(first + i)),
      );
      const before = recent.find((address) => address?.metadata === orderId);
      if (before) return remember(before);
      const params = { account_id: accountId, metadata: orderId };
      return remember((await service.call("assign_address_for_account", params, answers.address)).address);
    },

    /** The address that a txo came to, or null for the main one, change and what is not assigned. */
    async toAddress(subaddressIndex: bigint | null): Promise<string | null> {
      if (subaddressIndex === null || subaddressIndex === 0n || subaddressIndex > maxAssignedIndex) return null;
      const index = Number(subaddressIndex);
      const known = addressByIndex.get(index);
      if (known !== undefined) return known;
      const address = await getAssigned(index);
      return address && remember(address);
    },
  };
}

/** Whether the wallet has read its network's ledger, and the account its wallet's (fact 47). */
export function isSynced(status: AccountStatus): boolean {
  return (
    status.local_block_height >= status.network_block_height - 1 &&
    status.account.next_block_index >= status.local_block_height
  );
}
