/** `npm run operate -- COMMAND …`: operates a running exchange. It needs the site's environment, with DATABASE_URL. */
import { getConfig } from "../config/config.server";
import { createLog, getLog } from "../config/log.server";
import { openOperator } from "../exchange.server/operator/operator";
import { jsonFlag, runOperatorCommand } from "./operator-command";

const args = process.argv.slice(2);
// Programs read stdout: the log must not be on it.
const openLog = () => (args.includes(jsonFlag) ? createLog(getConfig().logLevel, process.stderr) : getLog());
const { exitCode, stdout, stderr } = await runOperatorCommand(args, async () => openOperator(getConfig(), openLog()));
process.exitCode = exitCode;
for (const line of stdout) process.stdout.write(`${line}\n`);
if (stderr !== undefined) process.stderr.write(`${stderr}\n`);
