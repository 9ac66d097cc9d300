import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { onStopSignal } from "~/server/stop-signal.server";

function listenForSignals(stop: () => Promise<void>) {
  const codes: number[] = [];
  let time = 0;
  const stopping = onStopSignal({
    log: pino({ level: "silent" }),
    stop,
    exit: (code) => void codes.push(code),
    now: () => time,
  });
  return { codes, stopping, advance: (ms: number) => (time += ms) };
}

const signal = (name: "SIGINT" | "SIGTERM") => process.emit(name, name);
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("stop signals", () => {
  const before = { SIGINT: process.listeners("SIGINT"), SIGTERM: process.listeners("SIGTERM") };
  afterEach(() => {
    for (const name of ["SIGINT", "SIGTERM"] as const) {
      for (const listener of process.listeners(name)) {
        if (!before[name].includes(listener)) process.removeListener(name, listener);
      }
    }
  });

  it.each(["SIGINT", "SIGTERM"] as const)("exits with 0 after %s once everything has stopped", async (name) => {
    let finish = () => {};
    const { codes, stopping } = listenForSignals(() => new Promise((resolve) => (finish = resolve)));
    signal(name);
    await settled();
    expect([stopping.started, codes]).toEqual([true, []]);
    finish();
    await settled();
    expect(codes).toEqual([0]);
  });

  it("ignores npm's copy of Ctrl-C, and exits immediately when it is pressed again", () => {
    const { codes, advance } = listenForSignals(() => new Promise(() => {}));
    signal("SIGINT");
    advance(20);
    signal("SIGINT");
    expect(codes).toEqual([]);
    advance(2_000);
    signal("SIGINT");
    expect(codes).toEqual([1]);
  });

  it("exits with 1 if stopping failed", async () => {
    const { codes } = listenForSignals(() => Promise.reject(new Error("broken")));
    signal("SIGTERM");
    await settled();
    expect(codes).toEqual([1]);
  });
});
