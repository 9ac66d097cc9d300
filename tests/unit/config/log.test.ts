import { describe, expect, it } from "vitest";
import { createLog } from "~/config/log.server";
import { createReadableStream } from "~/config/readable-log";
import { redactUrls } from "~/lib/redact-url";

const canary = "canary-7f3a";

describe("redactUrls", () => {
  it.each([
    [`https://rpc.example/v3/${canary}`, "https://rpc.example/…"],
    [`https://rpc.example/?key=${canary}`, "https://rpc.example/…"],
    [`https://user:${canary}@rpc.example:8545`, "https://rpc.example:8545"],
    [`postgres://antelope:${canary}@db.example:5432/antelope?sslmode=require`, "postgres://db.example:5432/…"],
    [`postgresql://antelope:${canary}@db.example/antelope`, "postgresql://db.example/…"],
    [`smtps://mailer:${canary}@mail.example:465`, "smtps://mail.example:465"],
    [`wss://rpc.example/ws/${canary}`, "wss://rpc.example/…"],
    [`URL: https://rpc.example/${canary}\nRequest body: {}`, "URL: https://rpc.example/…\nRequest body: {}"],
    [`"https://a.example/${canary}","https://b.example/"`, '"https://a.example/…","https://b.example"'],
    ["at https://a.example/…, http://b.example/x.", "at https://a.example/…, http://b.example/…."],
    [`https://user:${canary}@[bad/`, "[URL]"],
    ["at file:///work/build/server.js:1:2", "at file:///work/build/server.js:1:2"],
    ["Antelope is ready at http://localhost:3000", "Antelope is ready at http://localhost:3000"],
  ])("cuts %j to its origin", (text, redacted) => {
    expect(redactUrls(text)).toBe(redacted);
  });
});

function capture(readable = false) {
  const lines: string[] = [];
  const write = (text: string) => void lines.push(text);
  return { lines, log: createLog("debug", readable ? createReadableStream(write) : { write }) };
}

describe("the log", () => {
  it("T18 redacts URLs in messages, errors and fields", () => {
    const { lines, log } = capture();
    const url = `https://rpc.example/v3/${canary}`;
    log.warn(
      { err: new Error(`HTTP request failed.\n\nURL: ${url}\nDetails: fetch failed`), url },
      `No response from ${url}`,
    );
    expect(lines.join("")).not.toContain(canary);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "warn",
      msg: "No response from https://rpc.example/…",
      url: "https://rpc.example/…",
    });
  });

  it("T18 escapes control characters, which a terminal that shows the log would interpret", () => {
    const { lines, log } = capture();
    const path = "/\u009b2K\u007f\u001b[2K";
    log.info({ path }, "request");
    expect(lines.join("").trimEnd()).not.toMatch(/\p{Cc}/u);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ path });
  });

  it("T18 prints no control characters in a terminal, and no second line that looks like one of its own", () => {
    const { lines, log } = capture(true);
    const origin = "https://x\u001b]52;c;Zm9v\u0007\u001b[2K\r\n12:00:00 POST /api/swap 200 1 ms";
    log.warn({ reason: `Unexpected origin ${origin}`, list: ["\u009b2K"] }, "refused\n12:00:00 a sign-in");
    log.error({ err: new TypeError(origin) }, "A request failed");
    log.info({ method: "GET", path: "/\u009b2K", status: 404, ms: 1 }, "request");
    const text = lines.join("");
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expect(text.match(/^12:00:00/m)).toBeNull();
    expect(lines[0]).toMatch(
      /warn: refused\n {2}12:00:00 a sign-in \(reason: Unexpected origin https:\/\/x \]52;c;Zm9v/,
    );
  });

  it("T18 leaves out tokens and keys, but not the codes of errors", () => {
    const { lines, log } = capture();
    const session = { id: "s1", access_token: canary, refresh_token: canary, privateKey: canary };
    log.warn({ session, error: { name: "Error", code: "EAUTH", command: "AUTH PLAIN" } }, "could not send an e-mail");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      session: { id: "s1" },
      error: { name: "Error", code: "EAUTH", command: "AUTH PLAIN" },
    });
    expect(lines.join("")).not.toContain(canary);
  });

  it("prints short lines in a terminal", () => {
    const { lines, log } = capture(true);
    log.info({ method: "GET", path: "/login", status: 200, ms: 12.3, requestId: "6d1c" }, "request");
    log.info({ signal: "SIGINT" }, "Stopping");
    log.warn({ node: "node 1", requestId: "6d1c" }, "An Ethereum node failed");
    log.error({ err: new TypeError("broken") }, "A request failed");
    expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, "").split(/\n +at /)[0])).toEqual([
      "GET /login 200 12.3 ms\n",
      "Stopping (signal: SIGINT)\n",
      "warn: An Ethereum node failed (node: node 1)\n",
      "error: A request failed\n  TypeError: broken",
    ]);
  });
});
