import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { plainNumberStyle } from "~/lib/number-style";

const own = mkdtempSync(join(tmpdir(), "antelope-legal-"));
writeFileSync(join(own, "privacy.md"), '# Privacy\n\nWhat we keep.\n\n[version]: # "2026-03"\n');
writeFileSync(join(own, "terms.md"), "# Our terms\n\nFor {{site}}.\n\n## First\n\nPay {{fee}}.\n");
process.env.LEGAL_DIR = own;
// The configuration is read once, so this file needs its own.
vi.resetModules();
afterAll(() => {
  delete process.env.LEGAL_DIR;
  rmSync(own, { recursive: true });
  vi.resetModules();
});
await import("../../support/site");
const config = await import("~/config/config.server");
const { checkLegalDocuments, getLegalDocument, listCurrentVersions } = await import("~/content/legal.server");
const get = (name: string) => getLegalDocument(name, plainNumberStyle);

it("shows the operator's own text instead of the template, with the site's values", () => {
  expect(get("terms")).toMatchObject({
    isTemplate: false,
    title: "Our terms",
    lede: "For localhost:3000.",
    blocks: [
      { kind: "heading", id: "first" },
      { kind: "paragraph", content: ["Pay 0.5%."] },
    ],
  });
});

it.each(["accessibility"])("says that %s is a template while the operator has not written their own", (name) => {
  const document = get(name);
  expect(document?.isTemplate).toBe(true);
  expect(document?.lede).toMatch(/^.{20,}\.$/);
  expect(JSON.stringify(document)).not.toContain("{{");
});

it.each(["", "cookies", "../help/late", "terms.md", "__proto__"])("does not have a document %j", (name) => {
  expect(get(name)).toBeNull();
});

it("derives a document's version from its text, unless the operator states one", () => {
  const versions = Object.fromEntries(listCurrentVersions().map(({ document, version }) => [document, version]));
  // The first digits of the SHA-256 of terms.md.
  expect(versions).toEqual({ terms: "a2aa59ba", privacy: "2026-03" });
  expect(get("terms")?.version).toBe(versions.terms);
  expect(get("privacy")).toMatchObject({ version: "2026-03", blocks: [] });
});

it("asks for consent to documents whose current version was not accepted", async () => {
  const { listOpenVersions } = await import("~/content/consent.server");
  const [terms, privacy] = listCurrentVersions();
  if (!terms || !privacy) throw new Error("A document is missing.");
  const names = (accepted: Parameters<typeof listOpenVersions>[0]) =>
    listOpenVersions(accepted).map(({ name }) => name);
  expect(names([])).toEqual(["terms", "privacy notice"]);
  expect(names([terms, { ...privacy, version: "2026-02" }])).toEqual(["privacy notice"]);
  expect(names([{ document: "privacy", version: terms.version }, terms, privacy])).toEqual([]);
});

describe("at the start", () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const stub = (changes: object) =>
    vi.spyOn(config, "getConfig").mockReturnValue({ ...config.getConfig(), ...changes });
  afterEach(() => {
    vi.restoreAllMocks();
    lines.length = 0;
  });

  it("names LEGAL_DIR if it is not a directory that can be read", () => {
    stub({ legalDir: join(own, "missing") });
    expect(() => checkLegalDocuments(log)).toThrow(/missing cannot be read \(ENOENT\): set LEGAL_DIR/);
    stub({ legalDir: join(own, "terms.md") });
    expect(() => checkLegalDocuments(log)).toThrow(/terms.md cannot be read \(ENOTDIR\): set LEGAL_DIR/);
  });

  it("logs the templates in live mode", () => {
    checkLegalDocuments(log);
    expect(lines).toEqual([]);
    stub({ mode: "live" });
    checkLegalDocuments(log);
    expect(lines).toEqual([expect.stringContaining('"documents":["accessibility"]')]);
  });
});
