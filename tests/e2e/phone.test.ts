import { devices, type Page } from "@playwright/test";
import { getAddress } from "viem";
import { encodePaymentRequest } from "~/exchange.server/addresses/mob-address";
import { parseAmount } from "~/lib/money";
import { toQuotePath } from "~/lib/quote-path";
import { deferred } from "../support/deferred";
import { waitUntilReady } from "./support/appearances";
import { signUp } from "./support/customers";
import { findToken, getMobWallet, newEthAddress } from "./support/sandbox";
import { heading } from "./support/swap-screens";
import { expect, test } from "./support/test";

const { defaultBrowserType: _, ...phone } = devices["Pixel 7"];

const code = (page: Page) => page.getByRole("img", { name: /^QR code/ });

test("on a phone, the page offers the address and a wallet link first, and a QR code on demand", async ({
  page,
  site,
  openCopy,
}) => {
  const token = getAddress(await findToken(site));
  const customer = await signUp(page, site);
  const usdt = await customer.lock("USDT", "50.5", newEthAddress());
  const mob = await customer.lock("MOB", "300", newEthAddress());
  const held = await openCopy(phone);

  await held.goto(`/swap/quote/${usdt.quote_id}`);
  expect(await held.evaluate(() => matchMedia("(pointer: coarse)").matches)).toBe(true);
  await expect(held.getByRole("button", { name: "Copy the address" })).toBeVisible();
  await expect(held.getByRole("link", { name: "Open my wallet app" })).toHaveAttribute(
    "href",
    `ethereum:${token}@11155111/transfer?address=${usdt.funding_address}&uint256=50500000`,
  );
  await expect(code(held)).toHaveCount(0);
  await held.locator("summary", { hasText: "Show QR code" }).click();
  await expect(code(held)).toHaveCount(1);

  await held.goto(`/swap/quote/${mob.quote_id}`);
  await expect(held.getByRole("link", { name: "Open a MobileCoin wallet" })).toHaveAttribute(
    "href",
    `mob:///b58/${encodePaymentRequest(mob.funding_address, parseAmount("300", "MOB"))}`,
  );
  await expect(code(held)).toHaveCount(0);

  // A desktop shows the code, without a link.
  await page.goto(`/swap/quote/${usdt.quote_id}`);
  await expect(code(page)).toHaveCount(1);
  await expect(page.getByRole("link", { name: "Open my wallet app" })).toHaveCount(0);
});

test("the order's page opens at its top, even if the price's page was scrolled down", async ({
  page,
  site,
  openCopy,
}) => {
  const customer = await signUp(page, site);
  await customer.addAddress("ETH", newEthAddress());
  await customer.addAddress("MOB", (await getMobWallet(site)).address);
  const held = await openCopy(phone);
  await held.goto(toQuotePath(await customer.createQuote("USDT", "50")));
  await waitUntilReady(held);
  await held.getByRole("heading", { name: "What happens next" }).scrollIntoViewIfNeeded();
  await expect(heading(held, /^Your price$/)).not.toBeInViewport();
  await held.getByRole("button", { name: "Lock this price" }).last().click();
  await expect(heading(held, /^Send exactly 50\.00\sUSDT$/)).toBeInViewport();
});

test("a page stays where it is scrolled to while another loads slowly, if the visitor switches direction or stays", async ({
  page,
  site,
  openCopy,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_FAILED|Failed to fetch/);
  await signUp(page, site);
  const held = await openCopy(phone);
  await held.goto("/swap/usdt-to-mob");
  await waitUntilReady(held);
  const readTop = () => held.evaluate(() => Math.round(window.scrollY));
  await held.evaluate(() => window.scrollTo(0, 200));
  const top = await readTop();
  expect(top).toBeGreaterThan(100);
  const loading = held.getByText("Loading...");

  const switched = deferred();
  await held.route("**/swap/mob-to-usdt.data*", (route) => switched.promise.then(() => route.continue()));
  await held.getByRole("link", { name: /^Switch direction/ }).click();
  await expect(loading).toBeInViewport({ ratio: 1 });
  await expect(held.getByLabel("You send", { exact: true })).toBeHidden();
  switched.resolve();
  await expect(held.getByRole("link", { name: "Switch direction: USDT to MOB" })).toBeVisible();
  expect(await readTop()).toBe(top);

  const left = deferred();
  await held.route("**/swap.data*", (route) => left.promise.then(() => route.abort()));
  await held.evaluate(() => void window.__remixRouter.navigate("/swap"));
  await expect(loading).toBeInViewport({ ratio: 1 });
  left.resolve();
  await expect(held.getByText("We couldn't open that page.")).toBeVisible();
  expect(await readTop()).toBe(top);
});

test("on a phone, the header and the footer have the margins of the page", async ({ page, site, openCopy }) => {
  await signUp(page, site);
  const held = await openCopy(phone);
  await held.goto("/swap");
  const edges = await held.evaluate(() => {
    const read = (selector: string) => {
      const { left, right } = (document.querySelector(selector) as Element).getBoundingClientRect();
      return { left: Math.round(left), right: Math.round(right) };
    };
    return {
      title: read("h1").left,
      wordmark: read("header a").left,
      footer: read("footer a").left,
      card: read("section").right,
      account: read("header summary > :last-child").right,
    };
  });
  expect(edges).toMatchObject({ wordmark: edges.title, footer: edges.title, account: edges.card });
});

test("a phone without JavaScript also gets the wallet link and the QR code", async ({ page, site, openCopy }) => {
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "50", newEthAddress());
  const plain = await openCopy({ ...phone, javaScriptEnabled: false });
  await plain.goto(`/swap/quote/${order.quote_id}`);
  await expect(plain.getByRole("link", { name: "Open my wallet app" })).toBeVisible();
  await plain.locator("summary", { hasText: "Show QR code" }).click();
  await expect(code(plain)).toBeVisible();
});

test("WCAG 1.4.4 does not cut off anything on a phone when its text is twice as large", async ({ page, site }) => {
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "1234.56", newEthAddress());
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/vegas", "/fees", `/swap/quote/${order.quote_id}`]) {
    await page.goto(path);
    await waitUntilReady(page);
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    expect(await findCutTexts(page), path).toEqual([]);
  }
});

async function resize(page: Page, width: number, textSize: string): Promise<void> {
  await page.setViewportSize({ width, height: 844 });
  await page.evaluate((value) => document.documentElement.style.setProperty("font-size", value), textSize);
}

test("WCAG 1.4.4 the rates page is readable, whatever the width and the size of the text", async ({ openBrowser }) => {
  // A language with long times, in a time zone whose name is shown until the first refresh.
  const page = await (await openBrowser({ locale: "en-US" })).newPage();
  for (const range of ["24h", "30d"]) {
    await page.goto(`/vegas?range=${range}`);
    for (const [width, size] of [
      [1280, "100%"],
      [800, "200%"],
      [390, "100%"],
      [390, "200%"],
      [320, "100%"],
      [320, "200%"],
    ] as const) {
      await resize(page, width, size);
      const where = `${range} in a window of ${width}, text ${size}`;
      const links = await page.getByRole("navigation", { name: "Chart range" }).boundingBox();
      const topLabel = await page.locator("figure text[dy='-6']").last().boundingBox();
      expect(topLabel?.y, where).toBeGreaterThanOrEqual((links?.y ?? Number.NaN) + (links?.height ?? 0));
      expect(await page.getByRole("heading", { level: 1 }).evaluate(listBrokenWords), where).toEqual([]);
      await expectAxisFits(page, where);
      // WCAG 1.4.12: as visitors set it who need more space between letters and words.
      await spaceOut(page, true);
      await expectAxisFits(page, `${where}, spaced out`);
      await spaceOut(page, false);
    }
  }
});

test("the links of the rates page are on one line of a narrow phone", async ({ page }) => {
  await page.goto("/vegas");
  await page.setViewportSize({ width: 320, height: 844 });
  const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  const tops = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top));
  expect(tops).toHaveLength(5);
  expect(new Set(tops).size).toBe(1);
});

/** The chart has at least its first and its last time. They don't overlap each other, or the name of the time zone. */
async function expectAxisFits(page: Page, where: string): Promise<void> {
  const boxes = await page.locator("figure text[y='1em']:visible").evaluateAll((labels) =>
    labels
      .map((label) => label.getBoundingClientRect())
      .filter((box) => box.width > 0)
      .map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
  );
  expect(boxes.length, where).toBeGreaterThan(1);
  for (const [at, { left, top }] of boxes.entries()) {
    expect(left, where).toBeGreaterThan(0);
    const before = boxes[at - 1];
    if (before && top < before.bottom) expect(left, where).toBeGreaterThan(before.right);
  }
}

/** Sets the spacing of WCAG 1.4.12 in the chart. */
function spaceOut(page: Page, isSpaced: boolean): Promise<void> {
  return page.evaluate((spaced) => {
    for (const text of document.querySelectorAll<SVGTextElement>("figure text")) {
      text.style.letterSpacing = spaced ? "0.12em" : "";
      text.style.wordSpacing = spaced ? "0.16em" : "";
    }
  }, isSpaced);
}

test("an amount is never broken inside its number or its coin", async ({ page, site }) => {
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "1234.56", newEthAddress());
  await page.goto(`/swap/quote/${order.quote_id}`);
  await waitUntilReady(page);
  for (const [width, size] of [
    [390, "100%"],
    [390, "200%"],
    [320, "100%"],
    [320, "200%"],
  ] as const) {
    await resize(page, width, size);
    for (const shown of [page.getByRole("heading", { level: 1 }), page.getByRole("group", { name: "Exact amount" })]) {
      expect(await shown.evaluate(listBrokenWords), `${width} px, text ${size}`).toEqual([]);
    }
    // The ring of the time left is beside its text.
    const timeLeft = page.getByText(/left to pay$/);
    const [text, ring] = [
      await timeLeft.boundingBox(),
      await timeLeft.locator("xpath=../..//*[name()='svg']").boundingBox(),
    ];
    expect((ring?.y ?? 0) + (ring?.height ?? 0), `${width} px, text ${size}`).toBeGreaterThan(text?.y ?? Number.NaN);
  }
});

test("the list of swaps fits every width without breaking a number", async ({ page, site }) => {
  const customer = await signUp(page, site);
  await customer.lock("USDT", "2876.543211", newEthAddress());
  await page.goto("/doger");
  await waitUntilReady(page);
  for (const width of [320, 390, 700, 768, 899, 900, 1024]) {
    await page.setViewportSize({ width, height: 844 });
    const rows = page.getByRole("table", { name: /^Your swaps/ }).locator("tbody");
    expect(await rows.evaluate(listBrokenWords), `${width} px`).toEqual([]);
    expect(await findCutTexts(page), `${width} px`).toEqual([]);
  }
});

test("an address with a long name doesn't widen the page of the price", async ({ page, site }) => {
  const customer = await signUp(page, site);
  await customer.addAddress("MOB", (await getMobWallet(site)).address, "W".repeat(60));
  await customer.addAddress("ETH", newEthAddress(), "W".repeat(60));
  const { id } = await customer.createQuote("USDT", "50");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/swap/quote/${id}`);
  expect(await findCutTexts(page)).toEqual([]);
});

test("a full stop is never at the beginning of the line after an e-mail address", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/login");
  await waitUntilReady(page);
  await page.getByLabel("E-mail address").fill(`${"ada-".repeat(12)}lovelace@example.org`);
  await page.getByRole("button", { name: "E-mail me a code" }).click();
  const indent = await page.locator("strong", { hasText: "ada-" }).evaluate((email) => {
    const stop = document.createRange();
    stop.setStart(email.nextSibling as Text, 0);
    stop.setEnd(email.nextSibling as Text, 1);
    return stop.getBoundingClientRect().left - email.getBoundingClientRect().left;
  });
  expect(indent).toBeGreaterThan(0);
});

/** The words that are on more than one line. */
function listBrokenWords(element: Element): string[] {
  const broken: string[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent ?? "";
    for (const { 0: word, index } of text.matchAll(/[^\s\u00a0]+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
}

/** The visible texts that reach beyond the window, to which it can't be scrolled. */
function findCutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cut: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const { left, right, width } = range.getBoundingClientRect();
      if (width === 0 || (left >= 0 && right <= window.innerWidth)) continue;
      let element = texts.currentNode.parentElement;
      // Up to an element that can be scrolled, or whose text is for screen readers only.
      while (element) {
        const { clipPath, overflowX } = getComputedStyle(element);
        if (clipPath !== "none" || overflowX === "auto") break;
        element = element.parentElement;
      }
      if (!element) cut.push(texts.currentNode.textContent ?? "");
    }
    return cut;
  });
}
