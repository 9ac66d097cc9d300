import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBenchAccount } from "./account";
import { type Load, measure } from "./load";
import { startRemixServe, startServer, startSite } from "./servers";
import { count, ms, printTable } from "./table";

type Page = { name: string; path: string; signedIn: boolean; encoding: string };
const paths = ["/login", "/register", "/welcome/1", "/vegas", "/swap/usdt-to-mob"];
const pages: Page[] = paths.flatMap((path) => {
  const signedIn = path.startsWith("/swap");
  return [
    { name: path, path, signedIn, encoding: "identity" },
    { name: `${path}, Brotli`, path, signedIn, encoding: "gzip, deflate, br" },
  ];
});

/**
 * Pages per second, compared with remix-serve on the same build and with a bare Node server that sends the same bytes.
 */
export async function benchPages(): Promise<void> {
  const ours = new Map<Page, Load>();
  const theirs = new Map<Page, Load>();
  const bare = new Map<Page, Load>();
  const scratch = await mkdtemp(join(tmpdir(), "antelope-bench-pages-"));
  try {
    for (const [loads, start] of [
      [ours, startSite],
      [theirs, startRemixServe],
    ] as const) {
      const server = await start();
      try {
        // Under remix-serve, the first request boots the exchange.
        await fetch(`${server.origin}/api/status`);
        const { cookie } = await createBenchAccount(server.origin);
        for (const page of pages) {
          const headers = { "Accept-Encoding": page.encoding, ...(page.signedIn && { Cookie: cookie }) };
          const url = server.origin + page.path;
          if (loads === ours) await saveBody(join(scratch, fileOf(page)), url, headers);
          loads.set(page, await measure(url, { headers }));
        }
      } finally {
        await server.stop();
      }
    }
    for (const page of pages) {
      const server = await startServer({
        args: ["tests/bench/plain-server.js", join(scratch, fileOf(page)), '{"Content-Type":"text/html"}'],
        readyOutput: /serving/,
      });
      try {
        bare.set(page, await measure(server.origin));
      } finally {
        await server.stop();
      }
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  const rows = pages.map((page) => toRow(page, ours.get(page), theirs.get(page), bare.get(page)));
  const head = "page,ours/s,p50,p99,remix-serve/s,ours ÷ that,bare Node/s,ours ÷ that,failed".split(",");
  printTable("Pages per second (10 connections, 4 s each, one server at a time)", head, rows);
}

const fileOf = (page: Page) => encodeURIComponent(page.name);

/** Saves the bytes as sent; `fetch` would decode them. */
async function saveBody(file: string, url: string, headers: Record<string, string>): Promise<void> {
  const { get } = await import("node:http");
  const body = await new Promise<Buffer>((resolve, reject) => {
    get(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      if (response.statusCode !== 200) reject(new Error(`${url} responded with ${response.statusCode}`));
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks)));
    }).on("error", reject);
  });
  await writeFile(file, body);
}

function toRow(page: Page, ours?: Load, theirs?: Load, bare?: Load): string[] {
  const ratio = (other?: Load) => (ours && other ? `${(ours.perSecond / other.perSecond).toPrecision(2)} ×` : "–");
  return [
    page.name,
    count(ours?.perSecond ?? 0),
    ms(ours?.p50 ?? 0),
    ms(ours?.p99 ?? 0),
    count(theirs?.perSecond ?? 0),
    ratio(theirs),
    count(bare?.perSecond ?? 0),
    ratio(bare),
    String((ours?.failed ?? 0) + (theirs?.failed ?? 0) + (bare?.failed ?? 0)),
  ];
}
