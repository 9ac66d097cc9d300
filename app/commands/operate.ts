/** `npm run operate -- COMMAND …`: operates a running exchange. It needs the site's environment, with DATABASE_URL. */
import { userInfo } from "node:os";
import { getConfig } from "../config/config.server";
import { createLog } from "../config/log.server";
import { openOperator } from "../exchange.server/operator/operator";
import { runOperatorCommand } from "./operator-command";

// If the log cannot be written, for example because its reader has ended, the command is still carried out and recorded.
process.stderr.on("error", () => undefined);

const { exitCode, stdout, stderr } = await runOperatorCommand(process.argv.slice(2), async () => {
  const config = getConfig();
  // Programs read stdout, so the log must go elsewhere.
  return openOperator(config, createLog(config.logLevel, process.stderr), getUser());
});
process.exitCode = exitCode;
// A reader such as `head` may close the pipe once it has read enough. The exit code still says how the command ended.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
process.stdout.write(stdout.map((line) => `${line}\n`).join(""));
if (stderr !== undefined) process.stderr.write(`${stderr}\n`);

/** The user of the operating system, who may not have a name, for example in a container. */
function getUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
