import type { DeliveryAddress } from "~/api/contract";
import type { AddressType } from "~/lib/assets";

export type SavedAddress = Pick<DeliveryAddress, "id" | "type" | "address" | "label">;

/** Display names of the networks. */
export const addressTypeNames: Record<AddressType, string> = { MOB: "MobileCoin", ETH: "Ethereum" };

export function toSavedAddresses(addresses: readonly DeliveryAddress[], type: AddressType): SavedAddress[] {
  return addresses
    .filter((address) => address.type === type)
    .map(({ id, address, label }) => ({ id, type, address, label }));
}

/**
 * The start and end of an address, such as 0x3C44…93BC: enough to recognise it. Show the full address wherever money
 * depends on it.
 */
export function toShortAddress(address: string): string {
  const startLength = address.startsWith("0x") ? 6 : 5;
  return `${address.slice(0, startLength)}…${address.slice(-4)}`;
}

/** "“My Signal” · 6UEtk…r2Uh" */
export function toAddressName({ label, address }: Pick<SavedAddress, "label" | "address">): string {
  return label === "" ? toShortAddress(address) : `“${label}” · ${toShortAddress(address)}`;
}

/** The requested address, otherwise the one just added, otherwise the newest. */
export function chooseAddress(
  addresses: readonly SavedAddress[],
  requested: string | null,
  added: string | null,
): string | null {
  const find = (id: string | null) => (id === null ? undefined : addresses.find((address) => address.id === id));
  return (find(requested) ?? find(added) ?? addresses[0])?.id ?? null;
}
