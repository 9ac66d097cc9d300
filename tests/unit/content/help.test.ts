import "../../support/site";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { getAnswer, listHelpTopics, searchAnswers } from "~/content/help.server";
import { helpTopics } from "~/lib/help-topics";
import { plainNumberStyle } from "~/lib/number-style";

const style = plainNumberStyle;
const ids = helpTopics.flatMap<string>(({ answers }) => answers);
const search = (query: string) => searchAnswers(query, style).map(({ id }) => id);

describe("the help centre", () => {
  it("lists every file of answers once", () => {
    const files = readdirSync("app/content/help").map((name) => name.replace(/\.md$/, ""));
    expect([...ids].sort()).toEqual(files.sort());
    const listed = listHelpTopics(style).flatMap(({ answers }) => answers);
    expect(listed.map(({ id }) => id)).toEqual(ids);
  });

  it.each(ids)("answers in a sentence, then explains: %s", (id) => {
    const answer = getAnswer(id, style);
    expect(answer?.title).toMatch(/\?( What now\?)?$/);
    expect(answer?.lede).toMatch(/^.{20,200}[.?]$/);
    expect(answer?.blocks.length).toBeGreaterThan(0);
    expect(JSON.stringify(answer)).not.toMatch(/\{\{|keywords/);
    expect(answer?.related.map((related) => related.id)).not.toContain(id);
  });

  it("names the site's own deadlines and limits", () => {
    expect(JSON.stringify(getAnswer("late", style))).toContain("You have 30 minutes after you lock the price");
    expect(JSON.stringify(getAnswer("limits", style))).toContain("10 to 10,000 USDT");
  });

  it.each(["late", "too-little", "too-much", "refunds", "hold"])("names the network fee of a refund in %s", (id) => {
    expect(JSON.stringify(getAnswer(id, style))).toMatch(/(less|covers) the network fee/);
  });

  it.each([
    ["too late", "late"],
    ["tron", "wrong-network"],
    ["How do refunds work?", "refunds"],
    ["lost phone", "sign-in"],
    ["KYC", "verification"],
    ["stuck", "waiting"],
    ["on hold", "hold"],
    ["pay from exchange", "exchange"],
    ["desktop", "signal-limits"],
    ["minimum fee", "fees"],
    ["phishing", "scams"],
    ["change email", "change-email"],
    ["tax", "records"],
  ])("finds the answer to %s first", (query, id) => {
    expect(search(query)[0]).toBe(id);
  });

  it("finds nothing for words that are not in any answer, or without words", () => {
    expect(search("zebra")).toEqual([]);
    expect(search("refund zebra")).toEqual([]);
    expect(search("  ?! the ")).toEqual([]);
    expect(search("(((.*")).toEqual([]);
    expect(getAnswer("../legal/terms", style)).toBeNull();
  });
});
