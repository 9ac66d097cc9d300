import type { CDPSession, Page } from "@playwright/test";
import { day, night } from "~/styles/palette";
import { contrast } from "../support/contrast";
import { waitUntilReady } from "./support/appearances";
import { signUp } from "./support/customers";
import { expect, test } from "./support/test";

const themes = [
  ["light", day],
  ["dark", night],
] as const;

test("a click anywhere in a select's box reaches the select", async ({ page }) => {
  await page.goto("/sandbox");
  const select = page.getByLabel("Coin", { exact: true });
  await select.scrollIntoViewIfNeeded();
  const reached = await select.evaluate((element) => {
    const { left, right, top, height } = (element.parentElement as Element).getBoundingClientRect();
    const [chevron] = (element.parentElement as Element).getElementsByTagName("svg");
    const onChevron = (chevron as Element).getBoundingClientRect().left + 4;
    return [left + 4, (left + right) / 2, onChevron, right - 4].map(
      (x) => document.elementFromPoint(x, top + height / 2) === element,
    );
  });
  expect(reached).toEqual([true, true, true, true]);
});

/**
 * The links and controls whose focus ring is partly cut off by a container. The ring has three pixels; one may be cut
 * off, because two are enough to see it.
 */
function findCutRings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isCut = (element: Element) => {
      const { outlineWidth, outlineOffset, outlineStyle } = getComputedStyle(element);
      const reach = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset) - 1;
      if (outlineStyle === "none" || reach <= 0) return false;
      const ring = element.getBoundingClientRect();
      for (let box = element.parentElement; box !== null && box !== document.body; box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box);
        const { left, top } = box.getBoundingClientRect();
        const [x, y] = [left + box.clientLeft, top + box.clientTop];
        const isInside = (start: number, end: number, from: number, size: number) =>
          start - reach > from - 0.5 && end + reach < from + size + 0.5;
        if (overflowX !== "visible" && !isInside(ring.left, ring.right, x, box.clientWidth)) return true;
        if (overflowY !== "visible" && !isInside(ring.top, ring.bottom, y, box.clientHeight)) return true;
      }
      return false;
    };
    const focusable = document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary");
    return [...focusable].flatMap((element) => {
      if (element.tabIndex < 0 || !element.checkVisibility({ visibilityProperty: true })) return [];
      element.focus({ preventScroll: true });
      return document.activeElement === element && isCut(element) ? [element.outerHTML.slice(0, 120)] : [];
    });
  });
}

test("WCAG 2.4.7 does not cut off focus rings, in wide and in narrow windows", async ({ page, site }) => {
  await signUp(page, site);
  for (const path of ["/vegas", "/help", "/sandbox", "/contact", "/swap", "/swap/usdt-to-mob", "/doger", "/kyc"]) {
    await page.goto(path);
    await waitUntilReady(page);
    // Rings are drawn only for the keyboard.
    await page.keyboard.press("Tab");
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await findCutRings(page), `${path} in a window of ${width} px`).toEqual([]);
    }
  }
});

test("WCAG 1.4.3 the links below the swap form are readable on the lowest part of the sky", async ({ page, site }) => {
  await signUp(page, site);
  for (const [colorScheme, { skyLow }] of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto("/swap/usdt-to-mob");
    const link = page.getByRole("link", { name: "How much can I swap?" });
    const color = await link.evaluate((element) => getComputedStyle(element).color);
    expect(contrast(color, skyLow), colorScheme).toBeGreaterThanOrEqual(4.5);
  }
});

test("in forced colours, steps that are not done look like the page", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark", reducedMotion: "reduce" });
  await page.goto("/welcome/2");
  const colors = await page.locator("a[href^='/welcome/']:has-text('Step ')").evaluateAll((bars) => {
    const probe = document.body.appendChild(document.createElement("div"));
    const read = (name: string) => {
      probe.style.backgroundColor = name;
      return getComputedStyle(probe).backgroundColor;
    };
    const names = new Map(["Canvas", "CanvasText", "Highlight"].map((name) => [read(name), name]));
    return bars.map((bar) => names.get(getComputedStyle(bar, "::before").backgroundColor));
  });
  expect(colors).toEqual(["CanvasText", "Highlight", ...Array(7).fill("Canvas")]);
});

test("in forced colours, the button for the next step is filled, unlike other buttons", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await page.goto("/login");
  const isFilled = (name: string) =>
    page.getByRole("button", { name }).evaluate((button) => {
      const probe = document.body.appendChild(document.createElement("div"));
      probe.style.backgroundColor = "ButtonText";
      return getComputedStyle(button).backgroundColor === getComputedStyle(probe).backgroundColor;
    });
  expect(await isFilled("Sign in with a passkey")).toBe(true);
  expect(await isFilled("E-mail me a code")).toBe(false);
});

test("in forced colours, a toast has an edge", async ({ page, context, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await page.goto("/login");
  await waitUntilReady(page);
  await page.getByLabel("E-mail address").fill("ada@example.org");
  await context.setOffline(true);
  await page.getByRole("button", { name: "E-mail me a code" }).click();
  const toast = page.getByRole("status").getByText("We don't know if your request went through.").locator("..");
  await expect(toast).toHaveCSS("outline-style", "solid");
  await expect(toast).not.toHaveCSS("outline-color", "rgba(0, 0, 0, 0)");
});

for (const [colorScheme, { accentSoft }] of themes) {
  test(`a field that the browser has filled in has one colour up to its edge, in the ${colorScheme} theme`, async ({
    page,
    context,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto("/contact");
    await forceState(await context.newCDPSession(page), "input[type=email]", "autofill");
    const field = page.getByLabel("E-mail address");
    // The browser's own colour is only behind the letters, which cover it.
    await expect(field).toHaveCSS("background-clip", "text");
    const behind = await field.evaluate(
      ({ parentElement }) => getComputedStyle(parentElement as Element).backgroundColor,
    );
    expect(contrast(behind, accentSoft)).toBeCloseTo(1, 3);
  });
}

test("selected text stands out from the box of a value to copy", async ({ page }) => {
  for (const [colorScheme, { sunken }] of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto("/sandbox");
    const background = await page
      .getByRole("group", { name: "Wallet address" })
      .evaluate((element) => getComputedStyle(element, "::selection").backgroundColor);
    expect(contrast(background, sunken), colorScheme).toBeGreaterThanOrEqual(3);
  }
});

test("the link that switches the direction turns with each switch, and under a mouse pointer", async ({
  page,
  openBrowser,
}) => {
  const touched = await (await openBrowser({ hasTouch: true, isMobile: true })).newPage();
  for (const [visitor, rotate] of [
    [page, "180deg"],
    // On a touch screen, the hovered state would last after a tap.
    [touched, "none"],
  ] as const) {
    await visitor.emulateMedia({ reducedMotion: "reduce" });
    await visitor.goto("/login");
    await waitUntilReady(visitor);
    const flip = visitor.getByRole("link", { name: /^Switch direction/ });
    for (const transform of ["matrix(-1, 0, 0, -1, 0, 0)", "none"]) {
      await flip.click();
      await expect(flip).toHaveCSS("transform", transform);
    }
    await forceState(await visitor.context().newCDPSession(visitor), "#flip", "hover");
    await expect(flip).toHaveCSS("rotate", rotate);
  }
});

/** Forces a state that a test can't bring about, such as a field filled in by the browser. */
async function forceState(session: CDPSession, selector: string, state: string): Promise<void> {
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  await session.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses: [state] });
}
