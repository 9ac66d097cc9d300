import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { findReasonToRaise, findReplaceableCall } from "~/exchange.server/chains/ethereum/replace-payment";
import { type Call, createSigner, parseSignedPayment } from "~/exchange.server/chains/ethereum/signed-payment";

const gwei = 10n ** 9n;

describe("the fee of a payment (T60)", () => {
  const raw = { maxFeePerGas: (20n * gwei).toString() };
  const reasonAt = (baseFee: bigint, ageMs: number, refused = false) =>
    findReasonToRaise(raw, { baseFee }, { refused, ageMs, feeBumpAfterMs: 1_000 });

  it("is not raised while the payment has not waited long and its maximum covers the base fee", () => {
    expect(reasonAt(20n * gwei, 0)).toBeNull();
    expect(reasonAt(20n * gwei, 999)).toBeNull();
  });

  it("is raised if a node did not accept it", () => expect(reasonAt(gwei, 0, true)).toBe("refused"));

  it("is raised if the payment has waited too long", () => expect(reasonAt(gwei, 1_000)).toBe("waited"));

  it("T61 is raised if the payment was signed while a process's clock was ahead", () =>
    expect(reasonAt(gwei, -1)).toBe("waited"));

  it("is raised if the base fee is above its maximum", () => expect(reasonAt(20n * gwei + 1n, 0)).toBe("base fee"));
});

describe("replacing a payment (T60)", () => {
  const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
  const other = privateKeyToAccount(`0x${"22".repeat(32)}`);
  const call: Call = { to: `0x${"ab".repeat(20)}`, data: "0xabcd", gas: 65_000n, nonce: 7 };

  type Case = {
    signed?: Call;
    key?: typeof account;
    chainId?: number;
    nonce?: number | null;
    next?: number;
    refused?: boolean;
  };

  async function findCall({ signed = call, key = account, chainId = 1, nonce = 7, next = 7, refused = false }: Case) {
    const sign = createSigner({ account: key, chainId, now: () => 0 });
    const fees = { maxFeePerGas: 2n * gwei, maxPriorityFeePerGas: gwei };
    const raw = parseSignedPayment(await sign(signed, fees, { to: signed.to, amount: "1" }));
    const signer = { address: account.address, chainId: 1 };
    return findReplaceableCall(raw, { signer, nonce, next, refused });
  }

  it("is possible if its nonce is the next one, with a call that does the same", async () =>
    expect(await findCall({})).toEqual(call));

  it("is possible for the first payment of a wallet, and for one without data", async () => {
    const first: Call = { ...call, data: "0x", nonce: 0 };
    expect(await findCall({ signed: first, nonce: 0, next: 0 })).toEqual(first);
  });

  it("is impossible if its nonce is used", async () => expect(await findCall({ next: 8, refused: true })).toBeNull());

  it("is possible only after a refusal if an earlier nonce is missing", async () => {
    expect(await findCall({ next: 6 })).toBeNull();
    expect(await findCall({ next: 6, refused: true })).toEqual(call);
  });

  it("is impossible if its bytes have a different nonce from the stored one", async () => {
    expect(await findCall({ nonce: 6, next: 6, refused: true })).toBeNull();
    expect(await findCall({ nonce: null })).toBeNull();
  });

  it("is impossible if it was signed by another key or for another chain", async () => {
    expect(await findCall({ key: other })).toBeNull();
    expect(await findCall({ chainId: 5 })).toBeNull();
  });
});
