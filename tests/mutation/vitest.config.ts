import { fileURLToPath } from "node:url";
import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import { defineConfig, type Plugin } from "vitest/config";
import { createKeptThread, stopKeptThread } from "./kept-thread";

const tests = JSON.parse(process.env.MUTATE_TESTS ?? "[]") as string[];
const needsDatabases = tests.some((path) => path.startsWith("tests/integration/"));

/** Stryker sets the pool itself, so it can only be replaced afterwards. */
const keepThreads: Plugin = {
  name: "keep-threads",
  configureVitest({ project, vitest }) {
    const pool = "kept-threads";
    Object.assign(project.config, { pool, poolRunner: { name: pool, createPoolWorker: createKeptThread } });
    vitest.onClose(stopKeptThread);
  },
};

/** The tests of one folder, for Stryker, which supports one project at a time. */
export default defineConfig({
  root: process.cwd(),
  plugins: [vanillaExtractPlugin(), keepThreads],
  resolve: { alias: { "~": fileURLToPath(new URL("../../app", import.meta.url)) } },
  test: {
    include: tests.flatMap((path) => (/\.tsx?$/.test(path) ? [path] : [`${path}/**/*.test.{ts,tsx}`])),
    environment: "node",
    setupFiles: ["tests/support/fail-on-console-error.ts", "tests/mutation/setup.ts"],
    // One kind of database is enough, and PostgreSQL is the faster one.
    env: { TEST_DATABASE: "PostgreSQL" },
    globalSetup: needsDatabases ? ["tests/support/databases.ts"] : [],
    // A module that keeps values computed with one change would hide or distort the next change.
    isolate: true,
    // A change can make a test wait for something that never happens.
    testTimeout: needsDatabases ? 60_000 : 30_000,
    hookTimeout: 60_000,
  },
});
