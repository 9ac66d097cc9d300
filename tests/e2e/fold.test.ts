import type { Locator, Page } from "@playwright/test";
import { type Customer, signUp } from "./support/customers";
import { getMobWallet, newEthAddress } from "./support/sandbox";
import type { Site } from "./support/site";
import { expect, test } from "./support/test";

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

const textSizes = [
  { percent: 100, height: 667 },
  { percent: 150, height: 844 },
];

const findButton = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name, exact: true });

async function expectAboveFold(page: Page, path: string, buttons: string[]): Promise<void> {
  await page.goto(path);
  for (const name of buttons) await expectInWindow(page, path, name);
}

/** Expects a button to be visible without scrolling the page. */
async function expectInWindow(page: Page, path: string, name: string): Promise<void> {
  const button = findButton(page, name);
  await expect(button).toBeVisible();
  const size = page.viewportSize();
  const { y, height } = (await button.boundingBox()) ?? { y: Number.NaN, height: 0 };
  expect(y + height, `${path}: ${name} in a window of ${size?.width} px`).toBeLessThanOrEqual(size?.height ?? 0);
}

async function saveAddresses(customer: Customer, site: Site): Promise<void> {
  await customer.addAddress("MOB", (await getMobWallet(site)).address);
  await customer.addAddress("ETH", newEthAddress());
}

test("the next step is above the fold on a desktop and on a phone", async ({ page, site }) => {
  const visit = async (path: string, name: string) => {
    await page.goto(path);
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size);
      await expectInWindow(page, path, name);
    }
  };
  await visit("/login", "Continue");
  // On a phone, the price comes before the form.
  await page.setViewportSize(desktop);
  await expectInWindow(page, "/login", "Sign in with a passkey");
  await visit("/register", "Create a passkey");
  const customer = await signUp(page, site);
  await visit("/swap", "Continue");
  await visit("/swap/usdt-to-mob", "Get exact price");
  await visit("/swap/mob-to-usdt", "Get exact price");
  await customer.lock("USDT", "250", newEthAddress());
  await visit("/swap/usdt-to-mob", "Get exact price");
  await visit(`/swap/quote/${(await customer.createQuote("USDT", "250")).id}`, "Lock this price");
});

test("the swap form's button stays in view in a small upright window", async ({ page, site, openCopy }) => {
  await signUp(page, site);
  const plain = await openCopy({ javaScriptEnabled: false });
  for (const visitor of [page, plain]) {
    await visitor.setViewportSize({ width: 390, height: 667 });
    await expectAboveFold(visitor, "/swap/usdt-to-mob", ["Get exact price"]);
    await expect(visitor.getByText(/^You receive about[\d,.]+ MOB$/)).toBeVisible();
    await visitor.getByLabel(/^Where your MOB goes/).scrollIntoViewIfNeeded();
    await expect(findButton(visitor, "Get exact price")).toBeInViewport({ ratio: 1 });
  }
  // In landscape, a phone has no room for a bar.
  await page.setViewportSize({ width: 844, height: 390 });
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(findButton(page, "Get exact price")).not.toBeInViewport();
});

test("the button that locks a price and the time left stay in view together", async ({ page, site, openCopy }) => {
  const customer = await signUp(page, site);
  await saveAddresses(customer, site);
  const { id } = await customer.createQuote("USDT", "250");
  const plain = await openCopy({ javaScriptEnabled: false });
  for (const visitor of [page, plain]) {
    await visitor.setViewportSize({ width: 390, height: 667 });
    await expectAboveFold(visitor, `/swap/quote/${id}`, ["Lock this price"]);
    for (const place of [visitor.getByRole("heading", { level: 1 }), findButton(visitor, "Change the amount")]) {
      await place.scrollIntoViewIfNeeded();
      await expect(place).toBeInViewport({ ratio: 1 });
      await expect(visitor.getByText("This price is valid for")).toBeInViewport({ ratio: 1 });
      await expect(visitor.locator("p", { hasText: /^You receive[\d,.]+ MOB$/ })).toBeInViewport({ ratio: 1 });
      await expect(findButton(visitor, "Lock this price")).toBeInViewport({ ratio: 1 });
    }
  }
  // In landscape, a phone has no room for a bar.
  await page.setViewportSize({ width: 844, height: 390 });
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(findButton(page, "Lock this price")).not.toBeInViewport();
});

test("the swap form's button never covers the control that has the focus", async ({ page, site }) => {
  await signUp(page, site);
  await page.goto("/swap/usdt-to-mob");
  for (const textSize of textSizes) {
    await setTextSize(page, textSize);
    const passed = await findCovered(page, {
      first: page.getByLabel("You send", { exact: true }),
      last: findButton(page, "Get exact price"),
    });
    // Both amounts and addresses, with the buttons beside them.
    expect(passed.count).toBeGreaterThan(15);
    expect(passed.covered).toEqual([]);
  }
});

test("the button that locks a price never covers the control that has the focus", async ({ page, site }) => {
  const customer = await signUp(page, site);
  await saveAddresses(customer, site);
  await page.goto(`/swap/quote/${(await customer.createQuote("USDT", "250")).id}`);
  for (const textSize of textSizes) {
    await setTextSize(page, textSize);
    const passed = await findCovered(page, {
      first: page.locator("summary", { hasText: "Exact amounts" }),
      last: findButton(page, "Lock this price"),
    });
    // Both addresses, with the buttons beside them.
    expect(passed.count).toBeGreaterThan(8);
    expect(passed.covered).toEqual([]);
  }
});

/** Sets the size of the text, in a window that still has room for a bar. */
async function setTextSize(page: Page, { percent, height }: (typeof textSizes)[number]): Promise<void> {
  await page.setViewportSize({ width: 390, height });
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = size;
  }, `${percent}%`);
}

/** Moves the focus from the first control to the last and back. @returns the names of the controls that were covered */
async function findCovered(
  page: Page,
  { first, last }: { first: Locator; last: Locator },
): Promise<{ count: number; covered: string[] }> {
  await first.focus();
  const passed: string[] = [];
  for (const key of ["Tab", "Shift+Tab"]) {
    await page.evaluate((down) => window.scrollTo(0, down ? 0 : document.body.scrollHeight), key === "Tab");
    const end = key === "Tab" ? last : first;
    let isEnd = false;
    for (let presses = 0; !isEnd && presses < 100; presses += 1) {
      await page.keyboard.press(key);
      passed.push((await isCovered(page)) ?? "");
      isEnd = await end.evaluate((element) => element === document.activeElement);
    }
    expect(isEnd, `${key} reaches the last control`).toBe(true);
  }
  return { count: passed.length, covered: passed.filter((name) => name !== "") };
}

/** The name of the focused control, if something else is drawn over its middle or its lower edge. */
function isCovered(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused) return "nothing has the focus";
    const { left, width, top, bottom } = focused.getBoundingClientRect();
    const isSeen = [(top + bottom) / 2, bottom - 2].every((y) => {
      const drawn = document.elementFromPoint(left + width / 2, y);
      return drawn !== null && (focused.contains(drawn) || drawn.contains(focused));
    });
    return isSeen ? null : (focused.getAttribute("name") ?? focused.textContent);
  });
}
