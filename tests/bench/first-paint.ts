import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { waitUntilReady } from "../e2e/support/appearances";
import { chromiumFlags, getHeadlessShell } from "../support/chromium";
import { startServer, startSite } from "./servers";
import { ms, percentile, printTable, verdict } from "./table";

type Loaded = { paintMs: number; interactiveMs: number; requests: number; text: string };

/** How much later than a bare page's first paint ours may be, in ms. */
const budgets = { "/login": 250, "/welcome/1": 200, "/vegas": 250 };

const loads = 9;
const asChromium = { "Accept-Encoding": "gzip, deflate, br", "Accept-Language": "en-GB" };
const cpuRate = 4;
/** 1.6 Mbit/s down and 750 kbit/s up, in bytes a second. */
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };

/** First paint on a simulated slow phone, compared with a bare page that has the same text. */
export async function benchFirstPaint(): Promise<void> {
  const site = await startSite();
  const browser = await chromium.launch({ executablePath: await getHeadlessShell(), args: chromiumFlags });
  try {
    const rows: string[][] = [];
    for (const [path, budget] of Object.entries(budgets)) {
      rows.push(await measurePage(browser, site.origin + path, budget));
    }
    const head = "page,bare page,first paint,difference,budget,verdict,interactive,requests".split(",");
    printTable(`First paint (CPU × ${cpuRate}, 1.6 Mbit/s, 150 ms; medians of ${loads} loads)`, head, rows);
  } finally {
    await browser.close();
    await site.stop();
  }
}

async function measurePage(browser: Browser, url: string, budget: number): Promise<string[]> {
  // Pages that are sent often are compressed best (stored-page.server.ts).
  for (let i = 0; i < 30; i += 1) await (await fetch(url, { headers: asChromium })).text();
  const { text } = await load(browser, url);
  const bare = await startBarePage(text);
  try {
    const ours: Loaded[] = [];
    const theirs: Loaded[] = [];
    for (let i = 0; i < loads; i += 1) {
      ours.push(await load(browser, url));
      theirs.push(await load(browser, bare.origin));
    }
    const median = (of: Loaded[], key: "paintMs" | "interactiveMs" | "requests") =>
      percentile(
        of.map((one) => one[key]),
        0.5,
      );
    const difference = median(ours, "paintMs") - median(theirs, "paintMs");
    const interactive = median(ours, "interactiveMs");
    return [
      new URL(url).pathname,
      ms(median(theirs, "paintMs"), 0),
      ms(median(ours, "paintMs"), 0),
      ms(difference, 0),
      ms(budget, 0),
      verdict(difference, budget),
      interactive > 0 ? ms(interactive, 0) : "–",
      String(median(ours, "requests")),
    ];
  } finally {
    await bare.stop();
  }
}

async function startBarePage(text: string) {
  const folder = await mkdtemp(join(tmpdir(), "antelope-bench-paint-"));
  const file = join(folder, "page.html");
  await writeFile(file, `<!doctype html><title>Bare</title><pre>${text.replaceAll("<", "&lt;")}</pre>`);
  const server = await startServer({
    args: ["tests/bench/plain-server.js", file, '{"Content-Type":"text/html; charset=utf-8"}'],
    readyOutput: /serving/,
  });
  return {
    origin: server.origin,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Loads a page for the first time, until nothing more is requested. */
async function load(browser: Browser, url: string): Promise<Loaded> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en-GB" });
  try {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send("Network.enable");
    await cdp.send("Network.emulateNetworkConditions", network);
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: cpuRate });
    let requests = 0;
    page.on("request", () => {
      requests += 1;
    });
    // tsx wraps named functions in calls of this.
    await page.addInitScript("globalThis.__name = (named) => named");
    await page.addInitScript(() => {
      const isHydrated = () => Object.keys(document.body ?? {}).some((name) => name.startsWith("__react"));
      const look = () => {
        if (isHydrated()) Object.assign(window, { interactiveAt: performance.now() });
        else requestAnimationFrame(look);
      };
      look();
    });
    await page.goto(url, { waitUntil: "networkidle" });
    await waitUntilReady(page);
    const seen = await page.evaluate(() => ({
      paintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
      interactiveMs: (window as unknown as { interactiveAt?: number }).interactiveAt ?? 0,
      // biome-ignore lint/performance/useDomNodeTextContent: only what is shown, with its line breaks
      text: document.body.innerText,
    }));
    return { ...seen, requests };
  } finally {
    await context.close();
  }
}
