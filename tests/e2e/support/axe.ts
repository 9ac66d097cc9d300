import type { Page } from "@playwright/test";
import axe, { type RunOnly } from "axe-core";

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/** WCAG 2.2 AA, as far as a machine can see it. */
export const wcag: RunOnly = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] };

/**
 * What axe finds wrong on the page as it is now, by these rules or by all it has, each as "rule: elements".
 * Its code is put into a document once, and no page has frames: a third of the time of @axe-core/playwright.
 */
export async function findViolations(page: Page, runOnly?: RunOnly): Promise<string[]> {
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async (rules) => (await window.axe?.run(document, { runOnly: rules, resultTypes: ["violations"] }))?.violations,
    runOnly,
  );
  if (!violations) throw new Error("axe did not run");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
