import { cp, mkdir, mkdtemp, rm, symlink, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningServer, readResident, readTree, startSite } from "./servers";
import { megabytes, printTable, seconds, verdict } from "./table";

const sources = ["app", "public", "server.ts", "vite.config.ts", "remix.config.js", "tsconfig.json", "package.json"];
const idleMs = 15_000;

/**
 * The first start (nothing built, no data) and a later one, in a copy of the sources, so that
 * nobody's build is touched; resident memory, and what an idle site costs.
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
    // Newer sources make the build stale.
    const now = new Date();
    await mkdir(join(copy, "app"), { recursive: true });
    await utimes(join(copy, "app/root.tsx"), now, now);
    rows.push(await report("start with a stale build", await start(), 20_000));
    const head = [
      "",
      "to serving",
      "budget",
      "verdict",
      "its CPU",
      "resident",
      "with chains",
      "peak until then",
      "CPU when idle",
    ];
    printTable("Starts and memory (resident: the site's process; later start ≤ 600 MB)", head, rows);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function report(name: string, site: RunningServer, budgetMs: number): Promise<string[]> {
  try {
    const answer = await fetch(`${site.origin}/login`);
    if (!answer.ok) throw new Error(`/login answered ${answer.status}`);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const [before, began] = [await readTree(site.pid), performance.now()];
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    const after = await readTree(site.pid);
    const busy = (after.cpuMs - before.cpuMs) / (performance.now() - began);
    return [
      name,
      seconds(site.startedInMs),
      `< ${seconds(budgetMs)}`,
      verdict(site.startedInMs, budgetMs),
      seconds(site.startedWithCpuMs),
      megabytes(await readResident(site.pid)),
      megabytes(after.bytes),
      megabytes(site.peakBytes),
      `${(busy * 100).toFixed(1)} %`,
    ];
  } finally {
    await site.stop();
  }
}
