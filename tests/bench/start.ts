import { appendFile, cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningServer, readResident, readTree, startSite } from "./servers";
import { megabytes, printTable, seconds, verdict } from "./table";

const sources = ["app", "public", "server.ts", "vite.config.ts", "remix.config.js", "tsconfig.json", "package.json"];
const idleMs = 15_000;

/**
 * Times and memory of a first start (no build, no data) and of later ones, and the CPU use of
 * an idle site. Runs in a copy of the sources, so the build in this folder stays as it is.
 */
export async function benchStart(): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), "antelope-bench-start-"));
  try {
    for (const source of sources) await cp(source, join(copy, source), { recursive: true, preserveTimestamps: true });
    await symlink(join(process.cwd(), "node_modules"), join(copy, "node_modules"));
    const dataDir = join(copy, ".data");
    const start = () => startSite({ cwd: copy, dataDir, env: { SANDBOX_ETHEREUM_BLOCK_MS: "1000" } });
    const rows = [await report("first start, with the build", await start(), 20_000)];
    rows.push(await report("later start", await start(), 3_000));
    await appendFile(join(copy, "app/root.tsx"), "\n");
    rows.push(await report("start with a stale build", await start(), 20_000));
    const head = [
      "",
      "until ready",
      "budget",
      "verdict",
      "CPU",
      "resident",
      "with chains",
      "peak during start",
      "idle CPU",
    ];
    printTable("Starts and memory (resident: the site's process; later start ≤ 600 MB)", head, rows);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function report(name: string, site: RunningServer, budgetMs: number): Promise<string[]> {
  try {
    const response = await fetch(`${site.origin}/login`);
    if (!response.ok) throw new Error(`/login responded with ${response.status}`);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const [before, startedAt] = [await readTree(site.pid), performance.now()];
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    const after = await readTree(site.pid);
    const busy = (after.cpuMs - before.cpuMs) / (performance.now() - startedAt);
    return [
      name,
      seconds(site.startMs),
      `< ${seconds(budgetMs)}`,
      verdict(site.startMs, budgetMs),
      seconds(site.startCpuMs),
      megabytes(await readResident(site.pid)),
      megabytes(after.bytes),
      megabytes(site.peakBytes),
      `${(busy * 100).toFixed(1)}%`,
    ];
  } finally {
    await site.stop();
  }
}
