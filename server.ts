/**
 * The production server, run by `npm start`. It listens before the exchange has booted:
 * until then /api/status responds with 503 and pages wait. vite.config.ts builds it into
 * build/server/server.js, beside the index.js that remix-serve runs.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as build from "virtual:remix/server-build";
import { type Config, getConfig } from "./app/config/config.server";
import { warnOfReadableFile, warnOfUnknownVariables } from "./app/config/env-file.server";
import { getLog } from "./app/config/log.server";
import { checkLegalDocuments } from "./app/content/legal.server";
import { describeError } from "./app/exchange.server/describe-error";
import {
  disableSignalHandling,
  getExchange,
  lockDataDirectory,
  stopExchange,
} from "./app/exchange-binding/exchange.server";
import { StartupError } from "./app/lib/startup-error";
import { sendConsoleToLog } from "./app/server/console-log.server";
import { listen } from "./app/server/listen.server";
import { createPublicPages } from "./app/server/public-pages.server";
import type { Handlers } from "./app/server/respond.server";
import { toSecurityHeaders } from "./app/server/security-headers.server";
import { createSite, createWorkerSite } from "./app/server/site.server";
import { allowSlowConnections } from "./app/server/slow-connections.server";
import { announceReady, toStartupMessage, warnOfRisks } from "./app/server/startup-message.server";
import { createStaticFiles } from "./app/server/static-files.server";
import { onStopSignal } from "./app/server/stop-signal.server";
import { endOnUncaughtErrors } from "./app/server/uncaught-errors.server";

const clientDirectory = join(dirname(fileURLToPath(import.meta.url)), "../client");

async function main(): Promise<void> {
  const config = getConfig();
  const log = getLog();
  sendConsoleToLog(log, describeError);
  endOnUncaughtErrors((error) => log.fatal({ error: describeError(error) }, "The process ends because of an error"));
  warnOfUnknownVariables(log);
  if (config.mode === "live") warnOfReadableFile(log);
  warnOfRisks(log, config.risks);
  allowSlowConnections();
  disableSignalHandling();
  lockDataDirectory(config);
  const { stop } = await listen({ config, log, ...createHandlers(config) });
  const stopping = onStopSignal({ log, stop: () => stop().then(stopExchange) });

  await getExchange();
  if (!stopping.started) announceReady(config, log, process.stdout.isTTY);
}

/** Static files, pages and the API; of a `worker`, only the status. */
function createHandlers(config: Config): Handlers {
  if (config.exchange.role === "worker") {
    return {
      site: createWorkerSite(config),
      servePage: (_incoming, _outgoing, _visit, next) => next(),
      serveStatic: () => false,
    };
  }
  checkLegalDocuments(getLog());
  const site = createSite(build, config);
  const files = createStaticFiles(clientDirectory, toSecurityHeaders(config));
  return {
    site,
    servePage: createPublicPages({
      ...config,
      render: async (request, visit) => site.fetch(request, { ...visit, isForEveryone: true }),
      readText: files.readText,
    }),
    serveStatic: files.serve,
  };
}

/** On standard error, and in the log, where an alert can notice it. Without settings there is no log. */
function reportFailedStart(error: unknown): void {
  const reason = toStartupMessage(error);
  process.stderr.write(`${reason}\n`);
  try {
    const log = getLog();
    if (!process.stdout.isTTY) log.fatal({ reason }, "The start failed");
    if (!(error instanceof StartupError)) log.debug({ error: describeError(error) }, "The start failed");
  } catch {
    // The settings are not valid: the message on standard error says why.
  }
}

main().catch(async (error: unknown) => {
  reportFailedStart(error);
  await stopExchange().catch(() => undefined);
  process.exit(1);
});
