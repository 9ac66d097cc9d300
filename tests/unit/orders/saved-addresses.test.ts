import { describe, expect, it, vi } from "vitest";
import type { RunningContext } from "~/exchange.server/context";
import { requireReceivers, requireSavedAddresses } from "~/exchange.server/orders/locking/saved-addresses";

const mob = { type: "MOB", address: "a MobileCoin address", isOurs: false } as const;
const eth = { type: "ETH", address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", isOurs: false } as const;
const direction = { source: "USDT", target: "MOB" } as const;

function refusalOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("the saved addresses that a lock names", () => {
  it("are one for the payout and one for a refund", () => {
    expect(requireSavedAddresses({ delivery: mob, refund: eth }, direction)).toEqual({
      deliveryAddress: mob.address,
      refundAddress: eth.address,
    });
  });

  it("are refused, naming the field, if the account has none with that ID", () => {
    const fields = { refund_address_id: "Choose one of your addresses." };
    const refusal = refusalOf(() => requireSavedAddresses({ delivery: mob, refund: null }, direction));
    expect(refusal).toMatchObject({ code: "invalid", fields });
  });

  it("T88 are refused, naming the field, if they are funding addresses of ours", () => {
    const fields = {
      delivery_address_id: "This address belongs to the exchange. Choose an address of your own wallet.",
    };
    const own = { delivery: { ...mob, isOurs: true }, refund: eth };
    expect(refusalOf(() => requireSavedAddresses(own, direction))).toMatchObject({ code: "invalid", fields });
  });

  it("are refused, naming the field, if they are of the other network", () => {
    const fields = { delivery_address_id: "MOB needs an address of type MOB; this one is of type ETH." };
    const refusal = refusalOf(() => requireSavedAddresses({ delivery: eth, refund: eth }, direction));
    expect(refusal).toMatchObject({ code: "invalid", fields });
  });
});

describe("a check whether the addresses can receive their coins", () => {
  const check = (getReceiverBlockReason: () => Promise<string | null>) => {
    const warn = vi.fn();
    const chains = { MOB: { getReceiverBlockReason: async () => null }, USDT: { getReceiverBlockReason } };
    const ctx = { chains, log: { warn } } as unknown as RunningContext;
    const addresses = { deliveryAddress: mob.address, refundAddress: eth.address };
    return { warn, checked: requireReceivers(ctx, addresses, direction) };
  };

  it("refuses a blocked one, naming the field", async () => {
    const { checked } = check(async () => "This address is blocked.");
    await expect(checked).rejects.toMatchObject({ fields: { refund_address_id: "This address is blocked." } });
  });

  it("leaves the decision to the payout if the chain cannot be reached", async () => {
    const { warn, checked } = check(() => Promise.reject(new Error("timeout")));
    await expect(checked).resolves.toBeUndefined();
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
