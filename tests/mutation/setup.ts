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
 * Unit tests have properties with thousands of cases: each property stops after half a second. Integration tests have
 * few cases, each of which may take longer. Files that ran in this thread before have set a limit, too.
 */
const isUnitTest = expect.getState().testPath?.includes("/tests/unit/");
fc.configureGlobal(isUnitTest ? { interruptAfterTimeLimit: 500 } : {});

// The thread may have run tests before: switch off their change, and clear what they covered. A static change (to what
// is computed when a module is loaded) is already on and stays on.
const stryker = (globalThis as { __stryker__?: { activeMutant?: string; mutantCoverage?: unknown } })[
  inject("globalNamespace")
];
if (stryker && inject("mode") === "dry-run") stryker.mutantCoverage = undefined;
if (stryker && inject("mutantActivation") !== "static") stryker.activeMutant = undefined;
