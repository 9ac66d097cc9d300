import { afterEach, expect, it, vi } from "vitest";
import * as config from "~/config/config.server";
import { loader } from "~/root";
import { args } from "../../support/site";

const sandbox = { ...config.getConfig().sandbox, faucetMaxEth: "0.5", faucetMaxUsdt: "500" };

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  [true, { ETH: "0.5", USDT: "500" }],
  [false, null],
])("tells pages what the faucet gives at a time, if there is one: %s", (hasSandbox, faucetMax) => {
  vi.spyOn(config, "getConfig").mockReturnValue({ ...config.getConfig(), hasSandbox, sandbox });
  expect(loader(args("/"))).toMatchObject({ hasSandbox, faucetMax });
});
