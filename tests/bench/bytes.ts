import { type Browser, chromium } from "@playwright/test";
import { chromiumFlags, getChromium } from "../support/chromium";
import { createBenchAccount } from "./account";
import { startSite } from "./servers";
import { kilobytes, printTable, verdict } from "./table";

type Budget = { js: number; css: number };
const standard: Budget = { js: 90_000, css: 12_000 };
const fonts = 60_000;
const shift = 0.01;

const pages: { path: string; signedIn?: boolean; budget: Budget }[] = [
  { path: "/login", budget: standard },
  { path: "/register", budget: standard },
  { path: "/welcome/1", budget: standard },
  { path: "/swap/usdt-to-mob", signedIn: true, budget: standard },
  { path: "/swap/mob-to-usdt", signedIn: true, budget: standard },
  { path: "/vegas", budget: { js: 110_000, css: 14_000 } },
];

/** Bytes of each first page load in Chromium (Brotli), compared with the budgets. */
export async function benchBytes(): Promise<void> {
  const site = await startSite();
  const browser = await chromium.launch({ executablePath: await getChromium(), args: chromiumFlags });
  try {
    const { cookie } = await createBenchAccount(site.origin);
    const rows: string[][] = [];
    for (const { path, signedIn, budget } of pages) {
      const page = await visit(browser, site.origin + path, signedIn ? cookie : "");
      const fits = [
        verdict(page.js, budget.js),
        verdict(page.css, budget.css),
        verdict(page.font, fonts),
        verdict(page.shift, shift),
      ];
      const over = ["JS", "CSS", "fonts", "CLS"].filter((_, i) => fits[i] === "OVER");
      rows.push([
        path,
        kilobytes(page.js),
        `≤ ${kilobytes(budget.js)}`,
        kilobytes(page.css),
        `≤ ${kilobytes(budget.css)}`,
        kilobytes(page.font),
        kilobytes(page.document),
        String(page.requests),
        String(page.later),
        page.shift.toFixed(3),
        over.length === 0 ? "OK" : `OVER: ${over.join(", ")}`,
        page.messages[0] ?? "none",
      ]);
    }
    const head = "page,JS,budget,CSS,budget,fonts,HTML,requests,after load,CLS,verdict,console".split(",");
    printTable(`First page loads in Chromium, Brotli (fonts ≤ ${kilobytes(fonts)})`, head, rows);
  } finally {
    await browser.close();
    await site.stop();
  }
}

async function visit(browser: Browser, url: string, cookie: string) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const pairs = cookie.split("; ").filter((pair) => pair !== "");
    await context.addCookies(
      pairs.map((pair) => {
        const [name = "", ...value] = pair.split("=");
        return { name, value: value.join("="), url };
      }),
    );
    const page = await context.newPage();
    const found = { js: 0, css: 0, font: 0, document: 0, requests: 0, later: 0, shift: 0, messages: [] as string[] };
    let loaded = false;
    page.on("request", () => (loaded ? found.later++ : found.requests++));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") found.messages.push(message.text());
    });
    page.on("pageerror", (error) => found.messages.push(error.message));
    const sizes: Promise<void>[] = [];
    page.on("response", (response) => {
      const kind = toKind(response.request().resourceType());
      if (!kind || loaded) return;
      sizes.push(
        response.headerValue("content-length").then(async (length) => {
          found[kind] += length === null ? (await response.body()).length : Number(length);
        }),
      );
    });
    await page.addInitScript(watchShifts);
    const response = await page.goto(url, { waitUntil: "load" });
    if (!response?.ok() || page.url() !== url)
      throw new Error(`${url} responded with ${response?.status()} ${page.url()}`);
    // Modules that hydration loads are part of the first page load.
    await page.waitForTimeout(500);
    loaded = true;
    await page.waitForTimeout(2_000);
    found.shift = await page.evaluate(() => (window as unknown as { shifted: number }).shifted);
    await Promise.all(sizes);
    return found;
  } finally {
    await context.close();
  }
}

function toKind(resourceType: string): "js" | "css" | "font" | "document" | null {
  if (resourceType === "script") return "js";
  if (resourceType === "stylesheet") return "css";
  return resourceType === "font" || resourceType === "document" ? resourceType : null;
}

/** Runs in the page, before its own scripts. */
function watchShifts(): void {
  const counter = Object.assign(window, { shifted: 0 });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) {
      if (!entry.hadRecentInput) counter.shifted += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
}
