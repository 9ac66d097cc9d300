import { writeFileSync } from "node:fs";
import type { TestInfo } from "@playwright/test";
import type { Site } from "./site";

/** Returns a function that attaches what the site has logged since, if the test failed. run.ts prints it. */
export function followLog(site: Site): (testInfo: TestInfo) => Promise<void> {
  const start = site.output.length;
  return async (testInfo) => {
    if (testInfo.status === testInfo.expectedStatus) return;
    const path = testInfo.outputPath("site.log");
    writeFileSync(path, site.output.slice(start));
    await testInfo.attach("site-log", { path, contentType: "text/plain" });
  };
}
