import { defineConfig } from "@playwright/test";
import e2e from "../../playwright.config";

const { projects, ...shared } = e2e;

/** `npm run screenshots` takes pictures of every scene. The global timeout stops it if something hangs. */
export default defineConfig(shared, {
  testDir: ".",
  testMatch: "screenshots.ts",
  globalSetup: "./prepare.ts",
  globalTeardown: "./write-index.ts",
  globalTimeout: 25 * 60_000,
  outputDir: "../../node_modules/.cache/screenshots-results",
  use: { screenshot: "off" },
});
