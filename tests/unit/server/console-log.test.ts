import { DrizzleQueryError } from "drizzle-orm/errors";
import { afterEach, describe, expect, it } from "vitest";
import { createLog } from "~/config/log.server";
import { describeError } from "~/exchange.server/describe-error";
import { sendConsoleToLog } from "~/server/console-log.server";

describe("output of libraries on the console", () => {
  const real = { ...console };
  afterEach(() => void Object.assign(console, real));

  function capture(): () => unknown[] {
    const lines: string[] = [];
    sendConsoleToLog(createLog("debug", { write: (line) => void lines.push(line) }), describeError);
    return () => lines.map((line) => JSON.parse(line) as unknown);
  }

  it("T18 becomes a line of the log, without the credentials in URLs", () => {
    const read = capture();
    console.warn("first\nsecond %s", "https://rpc.example/canary-7f3a");
    console.error(new Error("broken"));
    console.info("quiet");
    expect(read()).toMatchObject([
      { level: "warn", printed: "first\nsecond https://rpc.example/…" },
      { level: "error", printed: "Error", error: { name: "Error", message: "broken" } },
      { level: "debug", printed: "quiet" },
    ]);
  });

  it("T18 does not show the parameters of a query that failed", () => {
    const read = capture();
    console.error("failed:", new DrizzleQueryError("select $1", ["canary-7f3a"], new Error("lost")));
    expect(read()).toMatchObject([
      { printed: "failed: Error", error: { query: "select $1", cause: { message: "lost" } } },
    ]);
    expect(JSON.stringify(read())).not.toContain("canary-7f3a");
  });
});
