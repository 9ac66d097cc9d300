import type { DeliveryAddress } from "~/api/contract";
import { type AddressType, assets, type Direction } from "~/lib/assets";

export type SavedAddress = Pick<DeliveryAddress, "id" | "type" | "address" | "label">;

/** The address that the payout goes to, or the one for refunds. */
export type AddressName = "delivery" | "refund";

/** The saved addresses that can be chosen, and the ID of the chosen one. */
export type AddressOptions = { addresses: readonly SavedAddress[]; chosen: string | null };

/** Display names of the networks. */
export const addressTypeNames: Record<AddressType, string> = { MOB: "MobileCoin", ETH: "Ethereum" };

/** The delivery and refund addresses of a swap, with those that the URL names or else the default. */
export function toAddressOptions(
  saved: readonly DeliveryAddress[],
  { source, target }: Direction,
  { delivery, refund, added }: Record<AddressName | "added", string | null>,
): Record<AddressName, AddressOptions> {
  const toOptions = (name: AddressName, type: AddressType, requested: string | null) => {
    const ofType = saved.filter((address) => address.type === type);
    const addresses = ofType.map(({ id, address, label }) => ({ id, type, address, label }));
    return { addresses, chosen: chooseAddress(name, ofType, requested, added) };
  };
  return {
    delivery: toOptions("delivery", assets[target].addressType, delivery),
    refund: toOptions("refund", assets[source].addressType, refund),
  };
}

/**
 * The start and end of an address, such as 0x3C44…93BC: enough to recognise it. Show the full address wherever money
 * depends on it.
 */
export function toShortAddress(address: string): string {
  const startLength = address.startsWith("0x") ? 6 : 5;
  return `${address.slice(0, startLength)}…${address.slice(-4)}`;
}

/**
 * "“My Signal” · 6UEtk…r2Uh". The label is isolated (U+2068, U+2069), because one in Arabic or Hebrew would reorder the
 * address after it.
 */
export function toAddressName({ label, address }: Pick<SavedAddress, "label" | "address">): string {
  return label === "" ? toShortAddress(address) : `“\u2068${label}\u2069” · ${toShortAddress(address)}`;
}

/**
 * The requested address, otherwise the one just added, otherwise the address of the newest paid-out swap in this
 * direction. Before the first such swap, it is the newest address. If the address of the last swap has been removed,
 * none is chosen: someone who removed it may also have added their own address (T49).
 */
export function chooseAddress(
  name: AddressName,
  addresses: readonly Pick<DeliveryAddress, "id" | "last_delivery" | "last_refund">[],
  requested: string | null,
  added: string | null,
): string | null {
  const find = (id: string | null) => (id === null ? undefined : addresses.find((address) => address.id === id));
  const suggested = addresses.find((address) => address[`last_${name}`] ?? true);
  return (find(requested) ?? find(added) ?? suggested)?.id ?? null;
}
