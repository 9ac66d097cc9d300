import { describe, expect, it } from "vitest";
import { decideBroadcast } from "~/exchange.server/chains/ethereum/broadcast";
import { BroadcastRefusedError } from "~/exchange.server/chains/gateway";

const accepted = null;
const fee = new BroadcastRefusedError("fee", "underpriced");
const policy = new BroadcastRefusedError("payment", "rejected by policy");

describe("the network, judged by the responses of three nodes (T60)", () => {
  it.each([
    ["all accept it", [accepted, accepted, accepted]],
    ["one accepts it and one refuses it", [accepted, policy]],
    ["one accepts it and a majority refuses its fee, which a higher fee may change", [fee, accepted, fee]],
    ["one accepts it, one refuses it and one refuses its fee", [accepted, policy, fee]],
    ["only one responds, and accepts it", [accepted]],
  ])("does not refuse a payment if %s", (_, responses) => expect(decideBroadcast(responses, 2)).toBeNull());

  it.each([
    ["a majority refuses it, although one accepts it", [accepted, policy, policy], policy],
    ["all refuse it", [policy, policy, policy], policy],
    ["only one responds, and refuses it", [policy], policy],
    ["all refuse its fee", [fee, fee, fee], fee],
  ])("refuses a payment if %s", (_, responses, refusal) => expect(decideBroadcast(responses, 2)).toBe(refusal));

  it("refuses a payment for its fee, whatever the other reasons, because raising the fee may help", () =>
    expect(decideBroadcast([policy, policy, fee], 2)).toBe(fee));
});
