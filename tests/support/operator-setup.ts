import type { OperatorSetup } from "~/exchange.server/operator/operator";
import { testConfig } from "./test-config";

/** What an operator needs to work on a database of an exchange on fake chains. */
export const toOperatorSetup = (databaseUrl: string): OperatorSetup => ({
  databaseUrl,
  exchange: testConfig,
  confirmations: { USDT: 3, MOB: 1 },
  networks: { USDT: "11155111", MOB: "test" },
  risks: [],
});
