/**
 * `npm run bench`: measures the build in this folder (building it if necessary) over loopback.
 * `npm run bench -- bytes start` runs only those sections. A figure over its budget is marked
 * OVER; it does not fail the run.
 */
import { cpus, loadavg } from "node:os";
import { buildWhenStale } from "~/commands/build-when-stale.js";
import { benchBytes } from "./bytes";
import { benchLoad } from "./crowd";
import { benchFirstPaint } from "./first-paint";
import { benchGuessing } from "./guessing";
import { benchHostile } from "./hostile";
import { benchLighthouse } from "./lighthouse";
import { benchPages } from "./pages";
import { benchProcesses } from "./processes";
import { benchQuotes } from "./quotes";
import { benchScale } from "./scale";
import { benchStart } from "./start";
import { benchWatchers } from "./watchers";

const sections: Record<string, () => Promise<void>> = {
  bytes: benchBytes,
  start: benchStart,
  pages: benchPages,
  quotes: benchQuotes,
  hostile: benchHostile,
  load: benchLoad,
  guessing: benchGuessing,
  paint: benchFirstPaint,
  lighthouse: benchLighthouse,
  scale: benchScale,
  watchers: benchWatchers,
  processes: benchProcesses,
};

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !(name in sections));
if (unknown.length > 0) {
  process.stderr.write(`Unknown section: ${unknown.join(", ")}. Sections: ${Object.keys(sections).join(", ")}.\n`);
  process.exit(2);
}

buildWhenStale();
const cores = cpus();
const busy = loadavg()[0]?.toFixed(1);
process.stdout.write(`${cores.length} cores (${cores[0]?.model}), Node ${process.version}, load average ${busy}\n`);
for (const [name, section] of Object.entries(sections)) {
  if (requested.length > 0 && !requested.includes(name)) continue;
  await section().catch((error: unknown) => {
    process.stdout.write(`\n${name}: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  });
}
