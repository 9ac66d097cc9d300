/**
 * Run by sandbox.test.ts as a site to kill. Prints the faucet's transaction once anvil has written it to its state
 * file.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { startSandboxEthereum } from "~/sandbox.server/ethereum/start";
import { until } from "../../support/until";

const dataDir = process.argv[2] ?? "";
const chain = await startSandboxEthereum({
  dataDir,
  log: pino({ level: "silent" }),
  blockTimeMs: 50,
});
const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const { hash: given } = await chain.faucet({ address, asset: "USDT", amount: 5_000_000n });
await until("the state file", () => isWritten(given), { timeoutMs: 30_000 });
process.stdout.write(JSON.stringify({ given }));

/** Anvil writes its state once a second, so the file may be incomplete. */
function isWritten(hash: string): boolean {
  try {
    const text = readFileSync(join(dataDir, "anvil-state.json"), "utf8");
    return text.includes(hash) && Boolean(JSON.parse(text));
  } catch {
    // The file does not exist yet, or is incomplete.
    return false;
  }
}
