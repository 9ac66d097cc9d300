import { fileURLToPath } from "node:url";
import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import { defineConfig, type Plugin } from "vitest/config";
import { FileOrder } from "./tests/support/file-order.ts";

const alias = { "~": fileURLToPath(new URL("./app", import.meta.url)) };

/** Vitest's default is one second, which a busy machine may need for a turn of the event loop. */
const patient = { poll: { timeout: 30_000 } };

/** Keeps style sheets out of Vitest's module cache, which does not notice when a file that they import changes. */
const neverCacheStyles: Plugin = {
  name: "never-cache-styles",
  configureVitest({ experimental_defineCacheKeyGenerator }) {
    experimental_defineCacheKeyGenerator(({ id }) => (/\.css\.ts\b/.test(id) ? false : undefined));
  },
};

export default defineConfig({
  resolve: { alias },
  test: {
    sequence: { sequencer: FileOrder },
    projects: [
      {
        plugins: [vanillaExtractPlugin(), neverCacheStyles],
        resolve: { alias },
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.{ts,tsx}"],
          environment: "node",
          setupFiles: [
            "tests/support/fail-on-console-error.ts",
            "tests/support/check-test-isolation.ts",
            "tests/support/isolate-broadcast-channels.ts",
            "tests/support/async-timeouts.ts",
          ],
          expect: patient,
          // Property tests are pure computation, and a busy machine may be ten times as slow.
          testTimeout: 60_000,
          pool: "threads",
          // The files of a worker share their modules, which saves half of the time. Tests leave no state behind.
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "integration",
          // After the unit tests: groups with different pools cannot run side by side.
          sequence: { groupOrder: 1 },
          globalSetup: ["tests/support/databases.ts"],
          include: ["tests/integration/**/*.test.ts"],
          environment: "node",
          setupFiles: [
            "tests/support/fail-on-console-error.ts",
            "tests/support/real-timers.ts",
            "tests/support/name-statements.ts",
          ],
          expect: patient,
          testTimeout: 60_000,
          // Several files may start a database or a chain at the same time.
          hookTimeout: 180_000,
          pool: "forks",
          // Statements allocate mostly short-lived objects.
          execArgv: ["--max-semi-space-size=64"],
          isolate: false,
          maxWorkers: 3,
          // For files whose tests mostly wait, and so run concurrently.
          maxConcurrency: 6,
        },
      },
    ],
  },
});
