import { describe, expect, it } from "vitest";
import type { Status, StatusHistory } from "~/api/contract";
import { plainNumberStyle } from "~/lib/number-style";
import { toStatusView } from "~/routes/documents/status/status-view";

const chain = { ok: true, height: 1, chain_id: 1, synced: true, checked_at: null };
const status: Status = {
  mode: "live",
  accepting_swaps: true,
  reason: null,
  chains: { ethereum: chain, mobilecoin: chain },
};
const now = new Date("2026-03-31T12:00:00Z");
const view = (interruptions: StatusHistory["interruptions"], changes: Partial<Status> = {}) =>
  toStatusView({ ...status, ...changes }, { since: "2026-03-21T12:00:00Z", interruptions }, plainNumberStyle, now);

describe("the status page", () => {
  it("shows 30 days, those before the record as unknown", () => {
    const { days, share, incidents } = view([]);
    expect([days.length, days[0]?.date, days.at(-1)?.date]).toEqual([30, "2026-03-02", "2026-03-31"]);
    expect(days.filter(({ level }) => level === "unknown")).toHaveLength(19);
    expect(days.filter(({ level }) => level === "good")).toHaveLength(11);
    expect([share, incidents]).toEqual(["100%", []]);
  });

  it("marks every day that an interruption touches, and never rounds up to 100%", () => {
    const { days, share, incidents } = view([
      { reason: "rate_unknown", from: "2026-03-30T23:59:00Z", to: "2026-03-31T00:00:30Z" },
    ]);
    expect(days.slice(-2)).toEqual([
      { date: "2026-03-30", level: "interrupted", minutes: 1 },
      { date: "2026-03-31", level: "interrupted", minutes: 1 },
    ]);
    expect(share).toBe("99.98%");
    expect(incidents).toEqual([
      { from: "2026-03-30T23:59:00.000Z", isOver: true, reason: "There was no reliable price", duration: "90 seconds" },
    ]);
  });

  it("counts an interruption up to now while it lasts, and has words for an unknown reason", () => {
    const { incidents, label, isOpen } = view([{ reason: "new_code", from: "2026-03-31T10:00:00Z", to: null }], {
      accepting_swaps: false,
      reason: "payments_halted",
    });
    expect(incidents).toMatchObject([{ isOver: false, reason: "Swaps were paused", duration: "2 hours" }]);
    expect([isOpen, label]).toEqual([false, "Paused while we check payments"]);
  });
});
