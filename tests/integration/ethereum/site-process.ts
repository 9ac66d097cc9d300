/** Run by sandbox.test.ts: stands for a site that will be killed by -9. Tells what it did when that is on the disk. */
import { pino } from "pino";
import { startSandboxEthereum } from "../../../app/exchange.server/sandbox/ethereum/start";

const chain = await startSandboxEthereum({
  dataDir: process.argv[2] ?? "",
  log: pino({ level: "silent" }),
  blockTimeMs: 50,
});
const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const { hash: given } = await chain.faucet({ address, asset: "USDT", amount: 5_000_000n });
await new Promise((resolve) => setTimeout(resolve, 2_500));
process.stdout.write(JSON.stringify({ rpcUrl: chain.rpcUrl, given }));
