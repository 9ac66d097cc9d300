import { afterEach, describe, expect, it, vi } from "vitest";
import type { Status, StatusHistory } from "~/api/contract";
import { plainNumberStyle } from "~/lib/number-style";
import { headers, loader } from "~/routes/status/route";
import { toStatusView } from "~/routes/status/status-view";
import { args, fakeExchange, refusal } from "../../support/site";
import { respondWith } from "./swap/fixtures";

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
  it("shows 30 days, with days before the record as unknown", () => {
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
      { date: "2026-03-30", level: "interrupted" },
      { date: "2026-03-31", level: "interrupted" },
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

  describe("on 31 March 2026", () => {
    afterEach(() => void vi.useRealTimers());

    it("shows what the exchange says now, in the visitor's number format, and is not stored", async () => {
      vi.useFakeTimers({ now, toFake: ["Date"] });
      const interruptions = [{ reason: "rate_unknown", from: "2026-03-30T23:59:00Z", to: "2026-03-31T00:00:30Z" }];
      fakeExchange({
        "GET /api/status": respondWith({ ...status, accepting_swaps: false, reason: "stopped_by_operator" }),
        "GET /api/status/history": respondWith({ since: "2026-03-21T12:00:00Z", interruptions }),
      });
      const data = await loader(args("/status", { headers: { "accept-language": "de" } }));
      expect(data.view).toMatchObject({
        isOpen: false,
        label: "Paused by our team",
        share: "99,98%",
        since: "2026-03-21T12:00:00Z",
        incidents: [{ reason: "There was no reliable price" }],
      });
      expect(data.view?.days.at(-1)).toEqual({ date: "2026-03-31", level: "interrupted" });
      expect(headers()).toEqual({ "Cache-Control": "private, no-store" });
    });
  });

  it.each(["GET /api/status", "GET /api/status/history"])(
    "says so, and is not stored, while the exchange does not respond to %s",
    async (call) => {
      fakeExchange({
        "GET /api/status": respondWith(status),
        "GET /api/status/history": respondWith({ since: "2026-03-21T12:00:00Z", interruptions: [] }),
        [call]: () => refusal(503, "starting", "Starting.", { "Retry-After": "60" }),
      });
      const data = await loader(args("/status"));
      expect(data).toEqual({ view: null });
    },
  );
});
