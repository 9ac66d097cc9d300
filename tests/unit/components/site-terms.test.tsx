// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render } from "@testing-library/react";
import type { ComponentType } from "react";
import { afterEach, describe, expect, it } from "vitest";
import "../../support/site";
import { DateTime } from "~/components/locale/date-time";
import { PageShell } from "~/components/shell/page-shell";
import { CodeForm } from "~/components/sign-in/code-form";
import * as errorTexts from "~/lib/error-catalogue";
import { plainLocale } from "~/lib/locale";
import type { RootData, SiteTerms } from "~/loaded-data/root-data";
import { AccountNote } from "~/routes/auth/login/account-note";
import { AddPasskey } from "~/routes/auth/login/add-passkey";
import { KycStatusNote } from "~/routes/kyc/kyc-status-note";
import { WhatHappensNext } from "~/routes/swap/quote/open-quote/what-happens-next";
import * as gettingHelp from "~/routes/welcome/step/getting-help";
import * as turnOnPayments from "~/routes/welcome/step/turn-on-payments";
import { makeQuote } from "../../support/quotes";
import { rates } from "../routes/swap/fixtures";

afterEach(cleanup);

const terms: SiteTerms = {
  supportEmail: "help@antelope.example",
  codeTtlMs: 7 * 60_000,
  decisionTtlMs: 5 * 24 * 3_600_000,
  recoveryHoldMs: 36 * 3_600_000,
  overpaidToleranceBps: 350,
};

const pages: Record<string, ComponentType> = {
  code: () => <CodeForm action="/login" email="ada@example.org" result={undefined} />,
  passkey: () => <AddPasskey action="/login" email="ada@example.org" />,
  next: () => <WhatHappensNext quote={makeQuote()} rates={rates} />,
  footer: () => <PageShell user={null}>page</PageShell>,
  activate: turnOnPayments.Content,
  inactive: () => <AccountNote notice={{ kind: "inactive", email: "ada@example.org" }} />,
  blocked: () => <AccountNote notice={{ kind: "blocked" }} />,
  error: () => <AccountNote notice={{ kind: "failed", title: errorTexts.userTokenExpired, hint: "" }} />,
  review: () => <KycStatusNote kyc={{ status: "pending", reasons: [], updated_at: null }} redirect={null} />,
  time: () => <DateTime at="2026-11-25T12:00:00Z" />,
  help: gettingHelp.Content,
};

type Sandbox = Pick<RootData, "isPlayMoney" | "hasSandbox">;
const noSandbox: Sandbox = { isPlayMoney: false, hasSandbox: false };

function show(
  page: keyof typeof pages,
  supportEmail: string | null = terms.supportEmail,
  sandbox: Sandbox = noSandbox,
  tag = "en",
) {
  const root: RootData = {
    locale: { ...plainLocale, tag },
    ...sandbox,
    faucetMax: null,
    terms: { ...terms, supportEmail },
    currency: null,
  };
  const Stub = createRemixStub([
    { id: "root", path: "", loader: () => root, children: [{ path: "/", Component: pages[page] }] },
  ]);
  return render(<Stub initialEntries={["/"]} hydrationData={{ loaderData: { root } }} />).container;
}

describe("texts that name a setting", () => {
  it.each([
    ["code", "valid for 7 minutes"],
    ["passkey", "in the next 36 hours"],
    ["next", "Up to 3.5% more"],
  ] as const)("name the configured value in %s", (page, text) => expect(show(page).textContent).toContain(text));

  it.each(["inactive", "blocked", "help"] as const)("link to the support address in %s", (page) =>
    expect(show(page).querySelector(`a[href^="mailto:help@antelope.example"]`)).not.toBeNull(),
  );

  it.each(["footer", "review"] as const)("link to the contact form in %s", (page) =>
    expect(show(page).querySelector(`a[href="/contact"]`)).not.toBeNull(),
  );

  it.each(["footer", "inactive", "blocked", "help", "review"] as const)(
    "do not name a contact in %s if there is none",
    (page) => {
      const container = show(page, null);
      expect(container.querySelector("a[href^='mailto:']")).toBeNull();
      expect(container.textContent).not.toMatch(/contact|support|write to/i);
    },
  );
});

describe("the sandbox's help", () => {
  const link = (page: keyof typeof pages, sandbox: Sandbox) =>
    show(page, null, sandbox).querySelector('a[href^="/sandbox"]')?.getAttribute("href");

  it("links to the inbox from the form for a code, and to the sandbox from its badge", () => {
    const sandbox = { isPlayMoney: true, hasSandbox: true };
    expect(link("code", sandbox)).toBe("/sandbox#inbox");
    expect(link("activate", sandbox)).toBe("/sandbox");
    expect(link("footer", sandbox)).toBe("/sandbox");
  });

  it("is not linked outside the sandbox", () => {
    for (const page of ["code", "activate", "footer"]) expect(link(page, noSandbox)).toBeUndefined();
    expect(show("footer").textContent).not.toContain("play money");
  });

  it("is not linked if another server has the sandbox, even though the money is still play money", () => {
    const elsewhere = { isPlayMoney: true, hasSandbox: false };
    for (const page of ["code", "activate", "footer"]) expect(link(page, elsewhere)).toBeUndefined();
    expect(show("footer", null, elsewhere).textContent).toContain("Sandbox: play money");
  });
});

it("marks a time that is in a different language from the page, with its text direction", () => {
  const timeIn = (tag: string) => show("time", null, noSandbox, tag).querySelector("time");
  expect([timeIn("en-GB")?.lang, timeIn("de-CH")?.lang, timeIn("ar-EG")?.lang]).toEqual(["", "de-CH", "ar-EG"]);
  expect(timeIn("ar-EG")?.dir).toBe("auto");
});

it("says at once on /login that the session has ended", () => {
  expect(show("error").querySelector("[role=alert]")?.textContent).toContain(errorTexts.userTokenExpired);
});
