import { encodeAbiParameters, numberToHex, parseTransaction, toFunctionSelector } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ChainGateway, PaymentsWaitError, type PreparedPayment } from "~/exchange.server/chains/gateway";
import { type FaultyNode, type Override, startFaultyNode } from "./faulty-node";
import { startTestnet, type Testnet, usdt } from "./setup";

const yes = encodeAbiParameters([{ type: "bool" }], [true]);
const selectors = {
  isBlackListed: toFunctionSelector("isBlackListed(address)"),
  balanceOf: toFunctionSelector("balanceOf(address)"),
  paused: toFunctionSelector("paused()"),
};
const huge = numberToHex(10n ** 30n);

describe("T55 a faulty node, the first of three", { timeout: 60_000 }, () => {
  let testnet: Testnet;
  let receiver: string;
  let honest: ChainGateway;
  const faulty: FaultyNode[] = [];
  beforeAll(async () => {
    testnet = await startTestnet();
    await testnet.mine();
    honest = testnet.gateway({ etherPrice: usdt(3_000) });
    receiver = (await honest.assignFundingAddress({ reference: "receiver", index: 77 })).address;
  });
  afterEach(() => {
    for (const node of faulty.splice(0)) node.close();
  });
  afterAll(() => testnet?.close());

  /** A gateway to this node and two that work. */
  async function withFaulty(override: Override): Promise<ChainGateway> {
    const node = await startFaultyNode(testnet, override);
    faulty.push(node);
    const { rpcUrl } = testnet.chain;
    return testnet.gateway({ rpcUrls: [node.url, rpcUrl, rpcUrl], etherPrice: usdt(3_000) });
  }
  /** Returns a fixed result for calls of one of the token's functions, whatever the arguments. */
  const overrideCall = (name: keyof typeof selectors, result: string): Override => {
    const isCalled = (call: unknown) => (call as { data: string }).data.startsWith(selectors[name]);
    return ({ method, params }) => (method === "eth_call" && isCalled(params[0]) ? { result } : undefined);
  };
  const prepare = async (gateway: ChainGateway) =>
    gateway.preparePayment({ paymentId: "p", to: receiver, amount: usdt(1), nonce: await honest.getNextNonce() });

  const toGas = ({ raw }: PreparedPayment) => {
    const { gas, maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(
      (raw as { serialized: `0x${string}` }).serialized,
    );
    return { gas, maxFeePerGas, maxPriorityFeePerGas };
  };

  it.each([
    ["says that every address is on the blacklist", () => overrideCall("isBlackListed", yes)],
    ["says that the token is paused", () => overrideCall("paused", yes)],
    [
      "cannot estimate gas",
      (): Override =>
        ({ method }) =>
          method === "eth_estimateGas" ? { error: { code: -32000, message: "out of gas" } } : undefined,
    ],
    [
      "estimates far too much gas",
      (): Override =>
        ({ method }) =>
          method === "eth_estimateGas" ? { result: huge } : undefined,
    ],
    [
      "suggests far too high a tip",
      (): Override =>
        ({ method }) =>
          method === "eth_maxPriorityFeePerGas" ? { result: huge } : undefined,
    ],
  ])("does not affect payments if it %s", async (_, toOverride) => {
    const gateway = await withFaulty(toOverride());
    expect((await gateway.readWallet()).paymentBlockReason).toBeNull();
    expect(await gateway.getReceiverBlockReason(receiver)).toBeNull();
    expect((await gateway.readWallet()).paymentCost).toBe((await honest.readWallet()).paymentCost);
    const [signed, expected] = [await prepare(gateway), await prepare(honest)];
    expect(toGas(signed)).toEqual(toGas(expected));
  });

  it.each(["one of two nodes", "one of three nodes, of which another is down"])(
    "does not make payments get too little gas if %s estimates too little (T60)",
    async (which) => {
      const node = await startFaultyNode(testnet, ({ method }) =>
        method === "eth_estimateGas" ? { result: numberToHex(24_000) } : undefined,
      );
      faulty.push(node);
      const { rpcUrl } = testnet.chain;
      const rpcUrls = which === "one of two nodes" ? [rpcUrl, node.url] : [rpcUrl, node.url, "http://127.0.0.1:9"];
      const signed = await prepare(testnet.gateway({ rpcUrls }));
      expect(toGas(signed).gas).toBe(toGas(await prepare(honest)).gas);
    },
  );

  it("may be the only node and suggest no tip: payments then offer the lowest tip that pools accept (T60)", async () => {
    const node = await startFaultyNode(testnet, ({ method }) =>
      method === "eth_maxPriorityFeePerGas" ? { result: "0x0" } : undefined,
    );
    faulty.push(node);
    const signed = await prepare(testnet.gateway({ rpcUrls: [node.url] }));
    expect(toGas(signed).maxPriorityFeePerGas).toBe(1_000_000n);
  });

  it("may be the only node and refuse estimates: only if it refuses a single one is the payment at fault (T60)", async () => {
    let refuses = (_data: string) => true;
    const node = await startFaultyNode(testnet, ({ method, params }) => {
      const isRefused = method === "eth_estimateGas" && refuses((params[0] as { data: string }).data);
      return isRefused ? { error: { code: -32000, message: "invalid opcode: INVALID" } } : undefined;
    });
    faulty.push(node);
    const gateway = testnet.gateway({ rpcUrls: [node.url] });
    await expect(prepare(gateway)).rejects.toThrow(PaymentsWaitError);
    refuses = (data) => data.includes(receiver.slice(2).toLowerCase());
    const refused = prepare(gateway);
    await expect(refused).rejects.toThrow("invalid opcode");
    await expect(refused).rejects.not.toBeInstanceOf(PaymentsWaitError);
  });

  it("may be the only node and fail: the token and the receiver then don't count as unrestricted (T56)", async () => {
    const node = await startFaultyNode(testnet, ({ method, params }) => {
      const isBalance = (call: unknown) => (call as { data: string }).data.startsWith(selectors.balanceOf);
      return method === "eth_call" && !isBalance(params[0])
        ? { error: { code: -32603, message: "Internal error" } }
        : undefined;
    });
    faulty.push(node);
    const gateway = testnet.gateway({ rpcUrls: [node.url] });
    await expect(gateway.getReceiverBlockReason(receiver)).rejects.toThrow("Internal error");
    await expect(gateway.readWallet()).rejects.toThrow("Internal error");
    await expect(prepare(gateway)).rejects.toThrow("Internal error");
  });

  it("does not change the expected nonce if it counts transactions of ours that were never made", async () => {
    const gateway = await withFaulty(({ method }) =>
      method === "eth_getTransactionCount" ? { result: "0x3e8" } : undefined,
    );
    expect(await gateway.getNextNonce()).toBe(await honest.getNextNonce());
    const height = await testnet.height();
    expect(await gateway.getMinedNonce(height)).toBe(await honest.getMinedNonce(height));
    expect(await gateway.assignFundingAddress({ reference: "a", index: 78 })).toMatchObject({ isUsed: false });
  });

  it("may invent balances: new addresses don't count as used, and the amount that can be paid out stays the same", async () => {
    const gateway = await withFaulty(
      overrideCall("balanceOf", encodeAbiParameters([{ type: "uint256" }], [10n ** 18n])),
    );
    expect(await gateway.assignFundingAddress({ reference: "a", index: 79 })).toMatchObject({ isUsed: false });
    expect((await gateway.readWallet()).spendable).toBe((await honest.readWallet()).spendable);
  });

  it("may report no balances: the responses of the others still count", async () => {
    const used = await honest.assignFundingAddress({ reference: "b", index: 80 });
    await testnet.send(used.address, usdt(1));
    await testnet.mine();
    const gateway = await withFaulty(overrideCall("balanceOf", numberToHex(0, { size: 32 })));
    expect(await gateway.assignFundingAddress({ reference: "b", index: 80 })).toMatchObject({ isUsed: true });
  });

  it("keeps anything from being decided if a second node is faulty too", async () => {
    const node = await startFaultyNode(testnet, overrideCall("isBlackListed", yes));
    const down = await startFaultyNode(testnet, ({ method }) =>
      method === "eth_call" ? { error: { code: -32000, message: "busy" } } : undefined,
    );
    faulty.push(node, down);
    const gateway = testnet.gateway({ rpcUrls: [node.url, down.url, testnet.chain.rpcUrl] });
    await expect(gateway.getReceiverBlockReason(receiver)).rejects.toThrow(/do not agree/);
    await expect(gateway.assignFundingAddress({ reference: "c", index: 81 })).resolves.toMatchObject({ isUsed: false });
  });
});
