/** The big board stands outside the layout, so what goes wrong there shows the root's own screens. */
import type { Page } from "@playwright/test";

/** As turbo-stream writes it: the board's data as no version of ours would send them. */
const strange =
  '[{"_1":2},"routes/vegas/route",{"_3":4},"data",{"_5":6,"_7":8},"range","a range that is none","board",{}]\n';

/** Goes to the board while its answer cannot be drawn (R18). */
export async function breakBoard(page: Page): Promise<void> {
  await page.goto("/login");
  await page.route("**/vegas.data*", (route) =>
    route.fulfill({ contentType: "text/x-script", headers: { "X-Remix-Response": "yes" }, body: strange }),
  );
  await page.getByRole("link", { name: "Rates and status" }).click();
}

/** The big board takes no posts: a form that was made up sends one, and is refused (405). */
export async function postToBoard(page: Page): Promise<void> {
  await page.goto("/login");
  await page.evaluate(() => {
    const form = document.createElement("form");
    form.method = "post";
    form.action = "/vegas";
    document.body.append(form);
    form.submit();
  });
}
