import { expect } from "@playwright/test";
import { paths, withParams } from "~/lib/paths";
import { defineScenes } from "./scene-group";

/** Help, contact, status, fees and legal texts. */
export const documents = defineScenes({
  name: "documents",
  pageErrors: [/404|422/],
  prepare: async (stage) => ({ ...(await stage.open()), site: stage.site }),
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
    contact: ({ page }) => page.goto(paths.contact({ swap: "1CRT-8K55-KRE" })),
    "contact-incomplete": async ({ page }) => {
      await page.goto(paths.contact());
      await page.getByRole("button", { name: "Send message" }).click();
      await expect(page.getByText("Tell us what you need help with.")).toBeVisible();
    },
    "contact-sent": async ({ page }) => {
      await page.getByLabel("E-mail address").fill("ada@example.org");
      await page.getByLabel("Your message").fill("I have paid, but the page hasn't noticed.");
      await page.getByRole("button", { name: "Send message" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "We've received your message" })).toBeVisible();
    },
    "track-not-found": ({ page }) => page.goto(paths.track("A".repeat(43))),
    "contact-too-many": async ({ page, site }) => {
      // The sixth message in an hour is refused. Messages sent to the API from the same network count too.
      const body = JSON.stringify({ email: "ada@example.org", message: "Is anyone there?" });
      const message = { method: "POST", headers: { "Content-Type": "application/json" }, body };
      for (let sent = 0; sent < 5; sent += 1) await fetch(`${site.origin}/api/support/messages`, message);
      await page.goto(paths.contact());
      await page.getByLabel("E-mail address").fill("ada@example.org");
      await page.getByLabel("Your message").fill("Is anyone there?");
      await page.getByRole("button", { name: "Send message" }).click();
      await expect(page.getByText("There have been too many messages from this form in the last hour.")).toBeVisible();
    },
    status: ({ page }) => page.goto(paths.status),
    fees: ({ page }) => page.goto(paths.fees),
    terms: ({ page }) => page.goto(paths.legal("terms")),
    privacy: ({ page }) => page.goto(paths.legal("privacy")),
    accessibility: ({ page }) => page.goto(paths.legal("accessibility")),
  },
});
