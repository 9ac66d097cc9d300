import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { endOnUncaughtErrors } from "~/server/uncaught-errors.server";

const unreadable = () => {
  throw new Error("it cannot be logged");
};

it("T18 logs an error that nothing has caught, which Node.js then does not print, and ends the process", () => {
  const events: unknown[] = [];
  const target = Object.assign(new EventEmitter(), { exit: (code: number) => events.push(`exit ${code}`) });
  endOnUncaughtErrors((error) => events.push(error), target as unknown as NodeJS.Process);
  const error = new Error("broken");
  // Returns whether there is a listener. Without one, Node.js prints the error.
  expect(target.emit("uncaughtException", error)).toBe(true);
  expect(events).toEqual([error, "exit 1"]);
});

it("ends the process even if the error cannot be logged", () => {
  const codes: number[] = [];
  const target = Object.assign(new EventEmitter(), { exit: (code: number) => codes.push(code) });
  endOnUncaughtErrors(unreadable, target as unknown as NodeJS.Process);
  expect(() => target.emit("uncaughtException", new Error("broken"))).toThrow("it cannot be logged");
  expect(codes).toEqual([1]);
});
