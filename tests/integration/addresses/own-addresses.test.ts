import pino from "pino";
import { expect, it } from "vitest";
import { parseConfig } from "~/config/config.server";
import { startSandbox } from "~/sandbox.server/sandbox";
import { createTemporaryDirectory } from "../../support/temporary-directory";
import { startAddressApi } from "./address-api";

it("refuses the addresses of our own wallets on both chains as delivery addresses", async () => {
  const config = parseConfig({ DATA_DIR: createTemporaryDirectory() });
  const systems = await startSandbox(config, pino({ level: "silent" }));
  const api = await startAddressApi("PGlite");
  try {
    api.ctx.forbiddenDeliveryAddresses = systems.forbiddenDeliveryAddresses;
    const account = await api.makeAccount();
    for (const [type, asset] of [
      ["ETH", "USDT"],
      ["MOB", "MOB"],
    ] as const) {
      const { address } = await systems.chains[asset].verify();
      expect(await api.call(account, "POST", "", { type, address, label: "" })).toMatchObject({
        status: 422,
        body: { detail: { code: "address_invalid" } },
      });
    }
  } finally {
    await api.close();
    await systems.stop();
  }
});
