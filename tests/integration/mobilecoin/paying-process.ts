import { pino } from "pino";
import { startSandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";

/** Pays until it is killed and prints the key of each acknowledged payment. */
const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error("the data directory is missing");
const sandbox = await startSandboxMobilecoin({ dataDir, log: pino({ level: "silent" }), blockDelayMs: 1 });
const { address } = sandbox.wallet();
for (;;) {
  const { hash } = await sandbox.pay({ address, amount: 1_000n });
  process.stdout.write(`${hash}\n`);
}
