import { defineConfig } from "@playwright/test";
import e2e from "../../playwright.config";

/** `npm run screenshots`: no test, a walk with a camera. It ends by itself, whatever hangs. */
export default defineConfig(e2e, {
  testDir: ".",
  testMatch: "walk.ts",
  globalSetup: "./prepare.ts",
  globalTeardown: "./write-index.ts",
  globalTimeout: 25 * 60_000,
  outputDir: "../../node_modules/.cache/screenshots-results",
  use: { screenshot: "off" },
});
