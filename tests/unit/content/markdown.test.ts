import { describe, expect, it } from "vitest";
import { parseMarkdown } from "~/content/markdown.server";

const read = (markdown: string, values = {}) => parseMarkdown(`# Title\n\n${markdown}`, values);

describe("a document in Markdown", () => {
  it("has a title, an introduction, headings, paragraphs and lists", () => {
    const text = "# A *title*\n\nThe first\nparagraph.\n\n## A heading, too\n\n1. One **two**\n2. `three`\n";
    expect(parseMarkdown(text, {})).toEqual({
      title: "A title",
      lede: "The first paragraph.",
      keywords: "",
      blocks: [
        { kind: "heading", id: "a-heading-too", content: ["A heading, too"] },
        {
          kind: "list",
          ordered: true,
          items: [["One ", { kind: "strong", content: ["two"] }], [{ kind: "code", text: "three" }]],
        },
      ],
    });
  });

  it("T70 shows HTML as text", () => {
    const blocks = read("Intro.\n\n<img src=x onerror=alert(1)>\n\nA <b>bold</b> word.").blocks;
    expect(blocks).toEqual([
      { kind: "paragraph", content: ["<img src=x onerror=alert(1)>"] },
      { kind: "paragraph", content: ["A ", "<b>", "bold", "</b>", " word."] },
    ]);
  });

  it.each([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "//evil.example",
    "/\\evil.example",
    "data:text/html,x",
    "x.md",
  ])("T70 keeps only the text of a link to %s", (href) => {
    expect(read(`Intro.\n\nSee [this](<${href}>).`).blocks).toEqual([
      { kind: "paragraph", content: ["See ", "this", "."] },
    ]);
  });

  it.each(["/fees", "https://signal.org", "mailto:help@antelope.example", "#how"])("links to %s", (href) => {
    expect(read(`Intro.\n\n[this](${href})`).blocks).toEqual([
      { kind: "paragraph", content: [{ kind: "link", href, content: ["this"] }] },
    ]);
  });

  it("fills in values, keeps search keywords out of the text, and needs a title", () => {
    const text = 'You have {{ time }}.\n\n[keywords]: # "slow late"\n';
    expect(read(text, { time: "30 minutes" })).toMatchObject({ lede: "You have 30 minutes.", keywords: "slow late" });
    expect(() => read("{{constructor}}")).toThrow("There is no value {{constructor}}");
    expect(() => parseMarkdown("No title.", {})).toThrow("# Title");
  });
});
