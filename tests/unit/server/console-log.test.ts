import { afterEach, describe, expect, it } from "vitest";
import { createLog } from "~/config/log.server";
import { sendConsoleToLog } from "~/server/console-log.server";

describe("output of libraries on the console", () => {
  const real = { ...console };
  afterEach(() => void Object.assign(console, real));

  it("T18 becomes a line of the log, without the credentials in URLs", () => {
    const lines: string[] = [];
    sendConsoleToLog(createLog("debug", { write: (line) => void lines.push(line) }));
    console.warn("first\nsecond %s", "https://rpc.example/canary-7f3a");
    console.error(new Error("broken"));
    console.info("quiet");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "warn", printed: "first\nsecond https://rpc.example/…" },
      { level: "error", printed: expect.stringContaining("Error: broken") },
      { level: "debug", printed: "quiet" },
    ]);
  });
});
