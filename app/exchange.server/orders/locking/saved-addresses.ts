import type { LockRequest } from "../../../api/contract";
import { type AddressType, type AssetSymbol, assets, type Direction } from "../../../lib/assets";
import type { RunningContext } from "../../context";
import { describeError } from "../../describe-error";
import { ExchangeError } from "../../errors";

type SavedAddress = { type: AddressType; address: string; isOurs: boolean };

/** The two saved addresses that a lock names; null if the account does not have one with that id. */
export type OwnAddresses = { delivery: SavedAddress | null; refund: SavedAddress | null };

/** The texts of the two saved addresses that a lock names. */
export type LockAddresses = { deliveryAddress: string; refundAddress: string };

/** @throws invalid, naming the field: not an address of the account, one of ours, or of the wrong type */
export function requireSavedAddresses(own: OwnAddresses, { source, target }: Direction): LockAddresses {
  const requireAddress = (field: keyof LockRequest, address: SavedAddress | null, asset: AssetSymbol) => {
    if (!address) throw new ExchangeError("invalid", { fields: { [field]: "Choose one of your addresses." } });
    if (address.isOurs)
      throw toInvalid(field, "This address belongs to the exchange. Choose an address of your own wallet.");
    const { addressType } = assets[asset];
    if (address.type === addressType) return address.address;
    throw toInvalid(field, `${asset} needs an address of type ${addressType}; this one is of type ${address.type}.`);
  };
  return {
    deliveryAddress: requireAddress("delivery_address_id", own.delivery, target),
    refundAddress: requireAddress("refund_address_id", own.refund, source),
  };
}

/**
 * Checks on the chains whether each address can receive its asset now.
 * @throws invalid, naming the field
 */
export async function requireReceivers(
  ctx: RunningContext,
  { deliveryAddress, refundAddress }: LockAddresses,
  { source, target }: Direction,
): Promise<void> {
  await Promise.all([
    requireNotBlocked(ctx, "delivery_address_id", target, deliveryAddress),
    requireNotBlocked(ctx, "refund_address_id", source, refundAddress),
  ]);
}

/** Checks before the user pays. If the chain cannot be reached, the check before the payout decides. */
async function requireNotBlocked(
  ctx: RunningContext,
  field: keyof LockRequest,
  asset: AssetSymbol,
  address: string,
): Promise<void> {
  const blockReason = await ctx.chains[asset].getReceiverBlockReason(address).catch((error: unknown) => {
    ctx.log.warn({ asset, error: describeError(error) }, "could not check whether an address is blocked");
    return null;
  });
  if (blockReason !== null) throw toInvalid(field, blockReason);
}

function toInvalid(field: keyof LockRequest, message: string): ExchangeError {
  return new ExchangeError("invalid", { message, fields: { [field]: message } });
}
