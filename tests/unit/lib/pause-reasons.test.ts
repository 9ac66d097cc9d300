import { describe, expect, it } from "vitest";
import { toChainText, toPastPauseText, toSwapsText } from "~/lib/pause-reasons";

describe("why swaps are not accepted", () => {
  it.each([
    ["stopped_by_operator", "Paused by our team", "Our team paused swaps"],
    ["payments_halted", "Paused while we check payments", "We checked payments"],
    ["ethereum_out_of_reach", "Paused: Ethereum is unavailable", "Ethereum was unavailable"],
    ["mobilecoin_out_of_reach", "Paused: MobileCoin is unavailable", "MobileCoin was unavailable"],
    ["ethereum_payments_blocked", "Paused: we can't send USDT right now", "We couldn't send USDT"],
    ["mobilecoin_payments_blocked", "Paused: we can't send MOB right now", "We couldn't send MOB"],
    ["clocks_differ", "Paused: one of our clocks is wrong", "One of our clocks was wrong"],
    ["rate_unknown", "Paused: no reliable price right now", "There was no reliable price"],
    ["not_running", "Paused: our exchange isn't running", "Our exchange wasn't running"],
    ["another", "No new swaps right now", "Swaps were paused"],
  ])("says for %s: %s, and later: %s", (reason, now, later) => {
    expect([toSwapsText({ accepting_swaps: false, reason: reason }), toPastPauseText(reason)]).toEqual([now, later]);
  });

  it("says without a reason that there are no new swaps", () => {
    expect(toSwapsText({ accepting_swaps: false, reason: null })).toBe("No new swaps right now");
  });
});

it("says whether new swaps are possible, and what a chain can do", () => {
  expect(toSwapsText({ accepting_swaps: true, reason: null })).toBe("New swaps are possible");
  const states = [
    { ok: true, synced: true },
    { ok: false, synced: true },
    { ok: false, synced: false },
  ];
  expect(states.map(toChainText)).toEqual(["Running", "Can't send payouts right now", "Unavailable"]);
});
