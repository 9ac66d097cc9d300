import { describe, expect, it } from "vitest";
import { loader as answerLoader } from "~/routes/help/answer/route";
import { loader } from "~/routes/help/index/route";
import { loader as legalLoader } from "~/routes/legal/route";
import { args } from "../../support/site";

const german = { headers: { "accept-language": "de" } };
const notFound = { data: { message: "Not Found" }, init: { status: 404 } };
const search = (query: string) => loader(args(`/help?${new URLSearchParams({ q: query })}`));

describe("/help", () => {
  it.each(["/help", "/help?q=", "/help?q=%20%20"])("%s lists every topic, without a search", (path) => {
    const { query, found, topics } = loader(args(path));
    expect([query, found, topics[0]?.name, topics[0]?.answers[0]?.id]).toEqual(["", null, "Paying", "late"]);
  });

  it("searches for the words without the spaces around them, and says which words it searched for", () => {
    const { query, found, topics } = search("  too late ");
    expect([query, found?.[0]?.id, topics.length > 0]).toEqual(["too late", "late", true]);
    expect(search("zebra")).toEqual({ query: "zebra", found: [], topics });
  });

  it("searches for the first 100 characters only", () => {
    const { query, found } = search(`late${" ".repeat(96)}zebra`);
    expect([query.length, found?.[0]?.id]).toEqual([100, "late"]);
  });

  it("writes numbers in the visitor's format", () => {
    const { found, topics } = loader(args("/help?q=largest+swap", german));
    for (const shown of [found, topics]) expect(JSON.stringify(shown)).toContain("10 to 10.000 USDT");
  });
});

describe("/help/:answer", () => {
  const open = async (answer?: string) => answerLoader({ ...args("/help/x", german), params: { answer } });

  it("shows the answer in the visitor's number format, with the other answers of its topic", async () => {
    const { title, lede, related } = await open("limits");
    expect(title).toMatch(/\?$/);
    expect(lede).toContain("10 to 10.000 USDT");
    expect(related.map(({ id }) => id)).toEqual(["fees", "price"]);
  });

  it.each(["cats", "", undefined])("R20 does not have an answer %j", async (answer) => {
    await expect(open(answer)).rejects.toMatchObject(notFound);
  });
});

describe("/legal/:document", () => {
  const open = async (document?: string) => legalLoader({ ...args("/legal/x", german), params: { document } });

  it("shows the document in the visitor's number format", async () => {
    const terms = await open("terms");
    expect(terms).toMatchObject({ isTemplate: true, lede: expect.stringContaining("localhost:3000") });
    expect(JSON.stringify(terms.blocks)).toContain("Our fee is 0,5% of the amount");
  });

  it.each(["cats", "", undefined])("R20 does not have a document %j", async (document) => {
    await expect(open(document)).rejects.toMatchObject(notFound);
  });
});
