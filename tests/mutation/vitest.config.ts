import { fileURLToPath } from "node:url";
import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import { defineConfig } from "vitest/config";

const tests = JSON.parse(process.env.MUTATE_TESTS ?? "[]") as string[];
const needsDatabases = tests.some((path) => path.startsWith("tests/integration/"));

/** The tests of one folder, for Stryker, which supports one project at a time. */
export default defineConfig({
  root: process.cwd(),
  plugins: [vanillaExtractPlugin()],
  resolve: { alias: { "~": fileURLToPath(new URL("../../app", import.meta.url)) } },
  test: {
    include: tests.flatMap((path) => (/\.tsx?$/.test(path) ? [path] : [`${path}/**/*.test.{ts,tsx}`])),
    environment: "node",
    setupFiles: ["tests/support/fail-on-console-error.ts", "tests/mutation/setup.ts"],
    globalSetup: needsDatabases ? ["tests/support/databases.ts"] : [],
    // A change can make a test wait for something that never comes.
    testTimeout: needsDatabases ? 60_000 : 30_000,
    hookTimeout: 60_000,
  },
});
