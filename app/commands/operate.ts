/** `npm run operate -- COMMAND …`: operates a running exchange. It needs the site's environment, with DATABASE_URL. */
import { getConfig } from "../config/config.server";
import { getLog } from "../config/log.server";
import { openOperator } from "../exchange.server/operator";
import { runOperatorCommand } from "./operator-command";

const { exitCode, stdout, stderr } = await runOperatorCommand(process.argv.slice(2), async () =>
  openOperator(getConfig(), getLog()),
);
process.exitCode = exitCode;
for (const line of stdout) process.stdout.write(`${line}\n`);
if (stderr !== undefined) process.stderr.write(`${stderr}\n`);
