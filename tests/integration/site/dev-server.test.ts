import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../support/raw-http";
import { hasEnded, stopProcess } from "../../support/stop-process";
import { until } from "../../support/until";

/** `npm run dev`, without an exchange. Remix itself supports Vite only up to 6 (decision 46). */
describe("the development server", () => {
  let origin: string;
  let dataDir: string;
  let server: ChildProcess;
  let output = "";

  beforeAll(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    dataDir = await mkdtemp(join(tmpdir(), "antelope-dev-"));
    server = spawn(process.execPath, ["node_modules/@remix-run/dev/dist/cli.js", "vite:dev"], {
      env: {
        ...process.env,
        NODE_ENV: "development",
        PORT: String(port),
        ORIGIN: origin,
        DATA_DIR: dataDir,
        API_URL: "http://127.0.0.1:9",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [server.stdout, server.stderr]) stream?.on("data", (chunk) => (output += chunk));
    const isReady = async () => {
      if (hasEnded(server)) throw new Error(`The development server has ended: ${output.slice(-2_000)}`);
      const response = await fetch(`${origin}/login`, { signal: AbortSignal.timeout(30_000) }).catch(() => null);
      return response?.status === 200;
    };
    await until(() => `the start: ${output.slice(-2_000)}`, isReady, { timeoutMs: 210_000, everyMs: 200 });
  }, 240_000);

  afterAll(async () => {
    if (server) await stopProcess(server);
    await rm(dataDir, { recursive: true, force: true });
  });

  it("renders pages and serves their scripts from the sources", async () => {
    const page = await (await fetch(`${origin}/login`)).text();
    expect(page).toContain("<h1");
    const scripts = [...page.matchAll(/(?:from |import |import\()"(\/(?:app|@id)\/[^"]+)"/g)].map(
      ([, path = ""]) => path,
    );
    expect(scripts).toContain("/app/entry.client.tsx");
    for (const path of new Set(scripts)) {
      const script = await fetch(origin + path);
      expect([path, script.status]).toEqual([path, 200]);
      expect(script.headers.get("content-type"), path).toContain("javascript");
    }
  });
});
