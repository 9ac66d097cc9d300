/**
 * One kind of client of `npm run bench -- load` and `watchers`, in a process of its own:
 * `crowd-client.ts KIND PORT [FILE]`. Sends its counts to its parent on request.
 */
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";
import type { Watcher } from "./crowd-data";
import { type HostileRequest, hostileRequests } from "./hostile-requests";
import { percentile } from "./table";

/** What a client has counted since the last report. */
export type ClientReport = {
  /** Open connections. */
  open: number;
  /** Responses by status; `closed` if there was none. */
  responses: Record<string, number>;
  /** Event streams: events received, and when, in ms since 1970. */
  events: number;
  eventsAt: number[];
  /** Response times of the requests that got a response. */
  ms: { count: number; p50: number; p99: number; max: number };
};

const slowSockets = 2_000;
const hostilePerSecond = 50;
const visitsPerSecond = 20;

const [kind, portText, file] = process.argv.slice(2);
const port = Number(portText);
let open = 0;
let responses: Record<string, number> = {};
let events = 0;
let eventsAt: number[] = [];
let times: number[] = [];

const count = (outcome: string | number) => {
  responses[outcome] = (responses[outcome] ?? 0) + 1;
};

/** Opens the streams, a limited number at a time, and keeps them open. */
async function watch(watchers: Watcher[]): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < watchers.length) {
      const watcher = watchers[next] as Watcher;
      next += 1;
      await openStream(watcher);
    }
  };
  await Promise.all(Array.from({ length: 50 }, worker));
}

/** Resolves at the first event, or at a response without events. */
function openStream({ path, cookie, address }: Watcher): Promise<void> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    let head = "";
    const socket = connect({ port, host: "127.0.0.1", localAddress: address });
    socket.on("connect", () => {
      open += 1;
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`);
    });
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      const text = chunk.toString("latin1");
      if (text.includes("event: order")) {
        events += 1;
        eventsAt.push(performance.timeOrigin + performance.now());
        resolve();
      }
      if (head !== "") return;
      head = text;
      times.push(performance.now() - startedAt);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? "unreadable";
      count(status);
      if (status !== "200") socket.destroy();
    });
    socket.on("close", () => {
      open -= 1;
      if (head === "") count("closed");
      else count("ended");
      resolve();
    });
  });
}

/**
 * Sockets that send a byte of a header each second, from 20 addresses. The server closes them after a while; then
 * others come.
 */
function drip(): void {
  const sockets = new Set<Socket>();
  let number = 0;
  const add = () => {
    number += 1;
    const socket = connect({ port, host: "127.0.0.1", localAddress: `127.3.0.${1 + (number % 20)}` });
    let received = "";
    sockets.add(socket);
    socket.on("connect", () => {
      open += 1;
      socket.write(`GET /login HTTP/1.1\r\nHost: localhost:${port}\r\nX-Slow: `);
    });
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      open -= 1;
      sockets.delete(socket);
      count(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? "closed");
    });
  };
  setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write("X");
    // Spread out, so that they don't all start at the same moment.
    for (let i = 0; i < 500 && sockets.size < slowSockets; i += 1) add();
  }, 1_000);
}

/** Hostile requests from ten addresses, at a steady rate. */
function attack(): void {
  let number = 0;
  everyMs(1_000 / hostilePerSecond, () => {
    const address = `127.4.0.${1 + (number % 10)}`;
    void sendHostile(hostileRequests[number % hostileRequests.length] as HostileRequest, address);
    number += 1;
  });
}

function sendHostile({ name, toBytes }: HostileRequest, address: string): Promise<void> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    let received = "";
    open += 1;
    const socket = connect({ port, host: "127.0.0.1", localAddress: address }, () => socket.write(toBytes(port)));
    socket.setTimeout(60_000, () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      if (received === "") times.push(performance.now() - startedAt);
      received = received || chunk.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      open -= 1;
      count(`${name}: ${/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? "closed"}`);
      resolve();
    });
  });
}

/**
 * Ordinary visitors of /login, at a steady rate. A visit that starts late because another one is slow is measured from
 * when it was due.
 */
function visit(): void {
  const agent = new Agent({ keepAlive: true });
  everyMs(1_000 / visitsPerSecond, (due) => {
    open += 1;
    const done = (outcome: string | number) => {
      open -= 1;
      times.push(performance.now() - due);
      count(outcome);
    };
    get({ agent, port, host: "127.0.0.1", path: "/login", headers: { Host: `localhost:${port}` } }, (response) => {
      response.resume().once("end", () => done(response.statusCode ?? 0));
    }).once("error", () => done("closed"));
  });
}

function everyMs(ms: number, act: (due: number) => void): void {
  let due = performance.now();
  setInterval(() => {
    for (; due <= performance.now(); due += ms) act(due);
  }, 5);
}

process.on("message", () => {
  const ms = {
    count: times.length,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    max: Math.max(0, ...times),
  };
  const report: ClientReport = { open, responses, events, eventsAt, ms };
  process.send?.(report);
  responses = {};
  times = [];
  events = 0;
  eventsAt = [];
});

if (kind === "watchers") void watch(JSON.parse(readFileSync(file ?? "", "utf8")) as Watcher[]);
if (kind === "slow") drip();
if (kind === "hostile") attack();
if (kind === "visitors") visit();
