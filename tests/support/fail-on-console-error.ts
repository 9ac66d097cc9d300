import { format } from "node:util";
import { afterEach, expect } from "vitest";

/** Fails a test during which console.error was called, and reports what was written. */
const written: string[] = [];
console.error = (...args: unknown[]) => {
  written.push(format(...args));
};
afterEach(() => {
  const during = written.splice(0);
  expect(during).toEqual([]);
});
