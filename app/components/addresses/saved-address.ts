import type { DeliveryAddress } from "~/api/contract";
import type { AddressType } from "~/lib/assets";

export type SavedAddress = Pick<DeliveryAddress, "id" | "type" | "address" | "label">;

/** What a network's addresses are called on screens. */
export const addressTypeNames: Record<AddressType, string> = { MOB: "MobileCoin", ETH: "Ethereum" };

export function toSavedAddresses(addresses: readonly DeliveryAddress[], type: AddressType): SavedAddress[] {
  return addresses
    .filter((address) => address.type === type)
    .map(({ id, address, label }) => ({ id, type, address, label }));
}

/** Head and tail: enough to recognise an address by, never enough to pay to. */
export function toShortAddress(address: string): string {
  const head = address.startsWith("0x") ? 6 : 5;
  return `${address.slice(0, head)}…${address.slice(-4)}`;
}

/** "“My Signal” · 6UEtk…r2Uh" */
export function toAddressName({ label, address }: Pick<SavedAddress, "label" | "address">): string {
  return label === "" ? toShortAddress(address) : `“${label}” · ${toShortAddress(address)}`;
}

/** The one asked for by its id, else the one that was just added, else the newest. */
export function pickAddress(
  addresses: readonly SavedAddress[],
  wanted: string | null,
  added: string | null,
): string | null {
  const find = (id: string | null) => (id === null ? undefined : addresses.find((address) => address.id === id));
  return (find(wanted) ?? find(added) ?? addresses[0])?.id ?? null;
}
