import { expect } from "@playwright/test";
import { paths, withParams } from "../../../../app/lib/paths";
import { defineScenes } from "./scene-group";

/** Help, fees and legal texts. */
export const documents = defineScenes({
  name: "documents",
  pageErrors: [/404/],
  prepare: (stage) => stage.open(),
  scenes: {
    help: ({ page }) => page.goto(paths.help),
    "help-found": async ({ page }) => {
      await page.goto(paths.help);
      await page.getByLabel("Search the answers").fill("late refund");
      await page.getByRole("button", { name: "Search" }).click();
      await expect(page.getByRole("heading", { name: "Answers for “late refund”" })).toBeVisible();
    },
    "help-nothing-found": ({ page }) => page.goto(withParams(paths.help, { q: "zebra" })),
    "help-answer": ({ page }) => page.goto(paths.answer("too-little")),
    "help-answer-signal": ({ page }) => page.goto(paths.answer("signal-limits")),
    "help-not-found": ({ page }) => page.goto("/help/zebra"),
    fees: ({ page }) => page.goto(paths.fees),
    terms: ({ page }) => page.goto(paths.legal("terms")),
    privacy: ({ page }) => page.goto(paths.legal("privacy")),
    accessibility: ({ page }) => page.goto(paths.legal("accessibility")),
  },
});
