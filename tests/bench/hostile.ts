import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";
import {
  authRequestSchema,
  deliveryAddressRequestSchema,
  kycApplicationSchema,
  passkeyOptionsRequestSchema,
  quoteRequestSchema,
} from "~/api/contract";
import { parseEmail } from "~/exchange.server/accounts/email";
import { parseEthAddress } from "~/exchange.server/addresses/eth-address";
import { parseMobAddress } from "~/exchange.server/addresses/mob-address";
import { checkStrictJson } from "~/exchange.server/http/strict-json";
import { isEmailLike } from "~/lib/email";
import { parseAmount } from "~/lib/money";
import { readLocale } from "~/lib/read-locale.server";
import { toSafeRedirect } from "~/lib/safe-redirect";
import { chooseEncoding } from "~/server/choose-encoding.server";
import { type HostileRequest, hostileRequests } from "./hostile-requests";
import { measure } from "./load";
import { type RunningServer, readMainThread, startSite } from "./servers";
import { ms, percentile, printTable, verdict } from "./table";

/** How long a hostile client can make others wait (T14, T15, T17). */
export async function benchHostile(): Promise<void> {
  const site = await startSite();
  try {
    const headers = await hostileHeaders(site);
    const costs = await hostileCosts(site);
    const rows = [
      ...(await slowSockets(site)),
      await manifestRequests(site),
      ...headers,
      ...hostileStrings(),
      ...costs,
    ];
    printTable("Hostile clients and input", ["attack", "measured", "budget", "verdict", "notes"], rows);
  } finally {
    await site.stop();
  }
}

/** T14: sockets that send one byte per second, from addresses other than the ordinary visitors'. */
async function slowSockets(site: RunningServer): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [name, addresses] of [
    ["T14 2,000 slow sockets from one address", 1],
    ["T14 2,000 slow sockets from 20 addresses", 20],
  ] as const) {
    const sockets: Socket[] = [];
    let refused = 0;
    for (let i = 0; i < 2_000; i++) {
      const socket = connect({ port: site.port, host: "127.0.0.1", localAddress: `127.0.1.${1 + (i % addresses)}` });
      socket.on("error", () => undefined).on("close", () => refused++);
      socket.write("GET /login HTTP/1.1\r\n");
      sockets.push(socket);
    }
    const drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write("X");
    }, 1_000);
    const load = await measure(`${site.origin}/login`, { connections: 5 });
    clearInterval(drip);
    const closed = refused;
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const notes = `${closed} of them were closed, ${load.failed} ordinary requests failed`;
    rows.push([`${name}: p99 of /login`, ms(load.p99), "< 500 ms", verdict(load.p99, 500), notes]);
  }
  return rows;
}

/** T15: each takes 0.7 to 1 s of CPU in a Remix app with lazy route discovery. */
async function manifestRequests(site: RunningServer): Promise<string[]> {
  const query = Array.from({ length: 500 }, (_, i) => `p=/swap/quote/${i}`).join("&");
  const times: number[] = [];
  const statuses = new Set<number>();
  for (let i = 0; i < 100; i++) {
    const startedAt = performance.now();
    const response = await fetch(`${site.origin}/__manifest?${query}`);
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
    statuses.add(response.status);
  }
  const p99 = percentile(times, 0.99);
  return ["T15 100 × GET /__manifest: p99", ms(p99), "< 20 ms", verdict(p99, 20), `status ${[...statuses].join(", ")}`];
}

/** T14, T15: how much main-thread time each hostile request takes. They are sent in turn, one at a time. */
async function hostileCosts(site: RunningServer): Promise<string[][]> {
  const measured = hostileRequests.map((request) => ({ request, costs: [] as number[], bytes: 0 }));
  for (let i = 0; i < 21; i += 1) {
    for (const row of measured) {
      const before = await readMainThread(site.pid);
      row.bytes = await sendHostile(row.request, site.port);
      row.costs.push((await readMainThread(site.pid)).ranMs - before.ranMs);
    }
  }
  return measured.map(({ request, costs, bytes }) => {
    const cost = percentile(costs, 0.5);
    return [`${request.name}: main thread`, ms(cost), "< 50 ms", verdict(cost, 50), `a response of ${bytes} bytes`];
  });
}

/** Resolves with the length of the response. */
function sendHostile({ toBytes }: HostileRequest, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = 0;
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.write(toBytes(port)));
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}

const routes = [
  ...["/login", "/register", "/swap", "/swap/usdt-to-mob", "/swap/quote/1", "/swap/orders/1/events", "/kyc", "/doger"],
  ...["/welcome/1", "/vegas", "/offline", "/sandbox", "/sandbox/inbox", "/favicon.ico", "/nope", "/login.data"],
  ...["/api/rates", "/api/users/me", "/api/swap/swaps/1/events", "/api/openapi.json", "/api/nope"],
];
const headerNames = [
  ...["Accept", "Accept-Encoding", "Accept-Language", "Content-Type", "Cookie", "If-Modified-Since", "If-None-Match"],
  ...["Origin", "Range", "Referer", "User-Agent", "X-Auth-Token", "X-Forwarded-For"],
];
const headerPieces = ["a", " ", ",", "a,", ";q=0.1,", "a=b;", 'W/"x",', "bytes=0-1,", "en-US,", "%41", '"'];
/** With the other headers, just below the 16 KiB that Node.js reads. */
const headerLength = 15_900;

/** How often a request is sent with every header, and then with the headers that seem to take longest. */
const attempts = { every: 3, slowest: 41 };
const slowestPerRoute = 3;

type Header = { name: string; piece: string };

/**
 * T17: how much longer a request takes with a 16 kB header than with a short one, for the slowest header of each
 * route. Compares the medians of requests sent alternately: the largest of 143 differences between single requests
 * would only show how busy the machine was.
 */
async function hostileHeaders({ origin }: Pick<RunningServer, "origin">): Promise<string[][]> {
  const every = headerNames.flatMap((name) => headerPieces.map((piece): Header => ({ name, piece })));
  const rows: string[][] = [];
  for (const route of routes) {
    const rough: [Header, Comparison][] = [];
    for (const header of every) rough.push([header, await compare(origin + route, header, attempts.every)]);
    rough.sort(([, a], [, b]) => b.long - b.short - (a.long - a.short));
    let worst = { added: Number.NEGATIVE_INFINITY, notes: "" };
    for (const [header] of rough.slice(0, slowestPerRoute)) {
      const { short, long } = await compare(origin + route, header, attempts.slowest);
      const notes = `${ms(short)} and ${ms(long)} with ${header.name}: ${JSON.stringify(header.piece)}…`;
      if (long - short > worst.added) worst = { added: long - short, notes };
    }
    const { added, notes } = worst;
    rows.push([`T17 a header of 16 kB on ${route} adds at most`, ms(added), "< 5 ms", verdict(added, 5), notes]);
  }
  return rows;
}

type Comparison = { short: number; long: number };

/** The median times of requests with a short and with a long header, which are sent in turn. */
async function compare(url: string, { name, piece }: Header, count: number): Promise<Comparison> {
  const value = `x${piece.repeat(headerLength)}`.slice(0, headerLength - 1);
  const times: { short: number[]; long: number[] } = { short: [], long: [] };
  for (let i = 0; i < count; i += 1) {
    times.short.push(await timeRequest(url, { [name]: "xx" }));
    times.long.push(await timeRequest(url, { [name]: `${value}x` }));
  }
  return { short: percentile(times.short, 0.5), long: percentile(times.long, 0.5) };
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

async function timeRequest(url: string, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  await new Promise<void>((resolve, reject) => {
    const request = get(url, { agent, headers }, (response) => response.resume().once("end", resolve));
    request.once("error", reject);
  });
  return performance.now() - startedAt;
}

const hostile = ["a", " ", "0", "1,", "@", "a@", "a.", "/", "\\", "%2e", "[", "{", "\u00e9", "Aa1+/=", "en-US,"].map(
  (piece) => piece.repeat(Math.ceil(50_000 / piece.length)).slice(0, 50_000),
);

const validators: Record<string, (text: string) => unknown> = {
  parseAmount: (text) => parseAmount(text, "USDT"),
  parseEthAddress: (text) => parseEthAddress(text, { forbidden: [] }),
  parseMobAddress,
  parseEmail,
  isEmailLike,
  toSafeRedirect,
  checkStrictJson,
  "readLocale (headers)": (text) =>
    readLocale(new Headers({ "Accept-Language": toLatin(text), Cookie: `tz=${toLatin(text)}` })),
  "chooseEncoding (header)": (text) => chooseEncoding(toLatin(text), ["br", "gzip"]),
  quoteRequestSchema: (text) =>
    quoteRequestSchema.safeParse({ source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: text }),
  kycApplicationSchema: (text) => kycApplicationSchema.safeParse({ document_number: text, date_of_birth: text }),
  authRequestSchema: (text) => authRequestSchema.safeParse({ auth_method: "email", credentials: { identifier: text } }),
  passkeyOptionsRequestSchema: (text) => passkeyOptionsRequestSchema.safeParse({ identifier: text }),
  deliveryAddressRequestSchema: (text) =>
    deliveryAddressRequestSchema.safeParse({ type: "MOB", address: text, label: text }),
};

const toLatin = (text: string) => text.replace(/[^\x20-\x7e]/g, "x").trim();

/** T17: strings of 50 kB in every validator; the slowest of each. */
function hostileStrings(): string[][] {
  return Object.entries(validators).map(([name, validate]) => {
    const times = hostile.map((text) => {
      const tries = [0, 1, 2].map(() => {
        const startedAt = performance.now();
        try {
          validate(text);
        } catch {
          // Rejecting the text is the expected result.
        }
        return performance.now() - startedAt;
      });
      // The first run includes compiling the validator.
      return Math.min(...tries);
    });
    const slowest = Math.max(...times);
    return [`T17 50 kB in ${name}`, ms(slowest, 3), "< 5 ms", verdict(slowest, 5), ""];
  });
}
