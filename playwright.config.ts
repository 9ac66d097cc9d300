import { defineConfig, devices } from "@playwright/test";
import { chromiumFlags, getHeadlessShell } from "./tests/support/chromium";

/** Files that mostly wait: some for chains, deadlines or restarts, others (the first four) in workers of their own. */
const waiting = "**/{ens,notifications,scan,wallet-connect,kill,late,no-scripts,offline,swap,tracking}.test.ts";

/** The built site in a real Chromium. `npm test` builds first and sets the reporters. */
export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "**/*.test.ts",
  globalSetup: "./tests/e2e/support/prepare.ts",
  workers: 3,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  globalTimeout: 2 * 60 * 60_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  outputDir: "node_modules/.cache/playwright-results",
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1280, height: 900 },
    locale: "en-GB",
    timezoneId: "UTC",
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    trace: "off",
    screenshot: "only-on-failure",
    video: "off",
    launchOptions: { executablePath: await getHeadlessShell(), args: chromiumFlags },
  },
  // First the files that wait: at the end, nothing else would fill that time. Of one project, Playwright runs files with
  // workers of their own last.
  projects: [
    { name: "waiting", testMatch: waiting },
    { name: "others", testIgnore: waiting },
  ],
});
