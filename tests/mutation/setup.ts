import fc from "fast-check";
import { expect, inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    /** Stryker's: what this run is for, the name of its global object, and when the change is switched on. */
    mode: "dry-run" | "mutant";
    globalNamespace: "__stryker__";
    mutantActivation: "static" | "runtime" | undefined;
  }
}

/**
 * Thousands of random cases per change would take hours: each property of a unit test gets half a second. Those of
 * integration tests have few cases, and one alone may take longer.
 */
if (expect.getState().testPath?.includes("/tests/unit/")) fc.configureGlobal({ interruptAfterTimeLimit: 500 });

// The thread may have run tests before: switch off their change, and forget what they covered. A change of
// what is computed when a module is loaded is on already.
const stryker = (globalThis as { __stryker__?: { activeMutant?: string; mutantCoverage?: unknown } })[
  inject("globalNamespace")
];
if (stryker && inject("mode") === "dry-run") stryker.mutantCoverage = undefined;
if (stryker && inject("mutantActivation") !== "static") stryker.activeMutant = undefined;
