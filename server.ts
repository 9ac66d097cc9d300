/**
 * The production server: configuration → lock → listening → exchange and its workers. It
 * listens before the exchange has booted: /api/status answers 503 meanwhile, pages wait.
 * Built by vite.config.ts into build/server/server.js, which shares its code with the
 * build/server/index.js that remix-serve runs. `npm start` runs it.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as build from "virtual:remix/server-build";
import { getExchange, stopExchange, stopExchangeMyself, takeDataDirectory } from "./app/api/exchange.server";
import { ConfigError, getConfig } from "./app/config.server";
import { DirectoryLockedError } from "./app/exchange.server/db/lock";
import { listen } from "./app/http/listen.server";
import { toSecurityHeaders } from "./app/http/security-headers.server";
import { createSite } from "./app/http/site.server";
import { createStaticFiles } from "./app/http/static-files.server";
import { getLog } from "./app/log.server";

const clientDirectory = join(dirname(fileURLToPath(import.meta.url)), "../client");

async function main(): Promise<void> {
  const config = getConfig();
  stopExchangeMyself();
  takeDataDirectory(config);
  const log = getLog();
  const { stop } = await listen({
    config,
    log,
    site: createSite(build, config),
    serveStatic: createStaticFiles(clientDirectory, toSecurityHeaders(config)),
  });

  let stopping = false;
  const end = (signal: string) => {
    // A second signal means it.
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, "stopping");
    stop()
      .then(stopExchange)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, "the stop failed");
          process.exit(1);
        },
      );
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);

  await getExchange();
  process.stdout.write(`Antelope is ready at ${config.origin} (${config.mode})\n`);
}

main().catch(async (error: unknown) => {
  process.stderr.write(`${toOperatorWords(error)}\n`);
  await stopExchange().catch(() => undefined);
  process.exit(1);
});

/** What the operator can mend is said in a sentence; anything else with its stack. */
function toOperatorWords(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DirectoryLockedError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "EADDRINUSE") {
    return "The port is taken by another program: end that one, or choose another PORT.";
  }
  return error.stack ?? error.message;
}
