import { format } from "node:util";
import { afterEach, expect } from "vitest";

/** A console.error fails the test in which it was written, and says what it was. */
const written: string[] = [];
console.error = (...words: unknown[]) => {
  written.push(format(...words));
};
afterEach(() => {
  const during = written.splice(0);
  expect(during).toEqual([]);
});
