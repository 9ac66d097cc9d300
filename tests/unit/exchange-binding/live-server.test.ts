import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { liveEnvironment } from "../../support/environments";

const boot = "~/exchange.server/index";
const settings = {
  ...liveEnvironment,
  ETH_XPUB: "xpub-of-our-own",
  ETH_RPC_URLS: "https://node.example",
  MOBILECOIN_URL: "https://wallet.example",
  LOG_LEVEL: "fatal",
};

beforeEach(() => {
  vi.resetModules();
  for (const name of ["Exchange", "HasServer", "HandlesSignals"]) vi.stubGlobal(`__antelope${name}`, undefined);
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.doUnmock(boot);
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.resetModules();
});

it.each([
  ["its own exchange", ""],
  ["a remote one", "https://exchange.example"],
])("T7, T14, T23 serves live mode only under the server of npm start, with %s", async (_name, API_URL) => {
  vi.stubEnv("API_URL", API_URL);
  const noWork = async () => undefined;
  const bootExchange = vi.fn(async () => ({ workers: { start: noWork, stop: noWork }, close: noWork }));
  vi.doMock(boot, () => ({ bootExchange }));
  vi.stubGlobal("fetch", async () => Response.json({ mode: "live" }));
  const { disableSignalHandling, getExchange } = await import("~/exchange-binding/exchange.server");
  await expect(getExchange()).rejects.toThrow(/^Live mode needs the server of npm start/);
  expect(bootExchange).not.toHaveBeenCalled();

  disableSignalHandling();
  await getExchange();
  expect(bootExchange).toHaveBeenCalledTimes(API_URL === "" ? 1 : 0);
});
