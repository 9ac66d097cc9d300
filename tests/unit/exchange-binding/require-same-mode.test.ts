import { describe, expect, it, vi } from "vitest";
import { requireSameMode } from "~/exchange-binding/require-same-mode.server";
import { StartupError } from "~/lib/startup-error";

const toStatus = (mode: string) => () => Response.json({ mode });

async function compare(mode: "sandbox" | "live", origin: string, respond: () => Response | Promise<Response>) {
  const warn = vi.fn();
  await requireSameMode({ fetch: async () => respond() }, { mode, origin }, { warn });
  return warn.mock.calls;
}

describe("a site whose exchange runs elsewhere", () => {
  it("T20 does not start in sandbox mode for a live exchange, except on this machine", async () => {
    const refused = compare("sandbox", "http://swap.example", toStatus("live"));
    await expect(refused).rejects.toBeInstanceOf(StartupError);
    await expect(refused).rejects.toThrow(
      "The exchange at API_URL is in live mode, and this site in sandbox mode: set EXCHANGE_MODE=live.",
    );
    for (const origin of ["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"]) {
      expect(await compare("sandbox", origin, toStatus("live"))).toEqual([
        [{ reason: expect.stringContaining("set EXCHANGE_MODE=live") }, "a setting is risky"],
      ]);
    }
  });

  it("says so if it is live and its exchange a sandbox", async () => {
    expect(await compare("live", "https://swap.example", toStatus("sandbox"))).toEqual([
      [{ reason: expect.stringContaining("set EXCHANGE_MODE=sandbox") }, "a setting is risky"],
    ]);
  });

  it.each(["live", "sandbox"] as const)("starts if both are in %s mode", async (mode) => {
    expect(await compare(mode, "https://swap.example", toStatus(mode))).toEqual([]);
  });

  it.each([
    ["does not respond", () => Promise.reject(new Error("refused"))],
    ["is starting", () => Response.json({ error: "starting", message: "Starting." }, { status: 503 })],
    ["responds with something else", () => new Response("<html>")],
  ])("starts, and says that nothing was compared, if the exchange %s", async (_name, respond) => {
    expect(await compare("sandbox", "http://swap.example", respond)).toEqual([
      [expect.stringContaining("not known yet")],
    ]);
  });
});
