import { lexer, type Token, type Tokens } from "marked";
import { type Block, type Document, type Inline, toPlainText } from "../lib/prose";

/** A document, with hidden keywords for the search. */
export type ParsedDocument = Document & { keywords: string };

/**
 * Reads Markdown: a title (`# …`), a first paragraph that introduces the rest, then headings (`## …`), paragraphs and
 * lists. `{{name}}` is replaced by the value of that name. `[keywords]: # "…"` is hidden.
 *
 * HTML is shown as text. Links may lead to the web, an e-mail address or this site; other links become plain text.
 * @throws if there is no title, or a value is missing
 */
export function parseMarkdown(markdown: string, values: Readonly<Record<string, string>>): ParsedDocument {
  const filled = markdown.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`There is no value {{${name}}}`);
    return value;
  });
  const tokens = lexer(filled);
  const title = tokens.find((token): token is Tokens.Heading => token.type === "heading" && token.depth === 1);
  if (!title) throw new Error("A document must start with a title: # Title");
  const blocks = tokens.filter((token) => token !== title).flatMap(toBlock);
  const [first] = blocks;
  const hasLede = first?.kind === "paragraph";
  return {
    title: toPlainText(toInlines(title.tokens)),
    lede: hasLede ? toPlainText(first.content) : "",
    blocks: hasLede ? blocks.slice(1) : blocks,
    keywords:
      tokens.find((token): token is Tokens.Def => token.type === "def" && token.tag === "keywords")?.title ?? "",
  };
}

function toBlock(token: Token): Block[] {
  switch (token.type) {
    case "space":
    case "def":
    case "hr":
      return [];
    case "heading": {
      const content = toInlines(token.tokens ?? []);
      return [{ kind: "heading", id: toId(toPlainText(content)), content }];
    }
    case "paragraph":
      return [{ kind: "paragraph", content: toInlines(token.tokens ?? []) }];
    case "list": {
      const { ordered, items } = token as Tokens.List;
      return [{ kind: "list", ordered, items: items.map((item) => toInlines(item.tokens)) }];
    }
    default:
      return [{ kind: "paragraph", content: [token.raw.trim()] }];
  }
}

function toInlines(tokens: readonly Token[]): Inline[] {
  return tokens.flatMap((token): Inline[] => {
    switch (token.type) {
      case "text":
      case "paragraph":
        return "tokens" in token && token.tokens ? toInlines(token.tokens) : [toText(token)];
      case "strong":
      case "em":
        return [{ kind: token.type, content: toInlines(token.tokens ?? []) }];
      case "codespan":
        return [{ kind: "code", text: (token as Tokens.Codespan).text }];
      case "link": {
        const content = toInlines(token.tokens ?? []);
        const { href } = token as Tokens.Link;
        return isSafeLink(href) ? [{ kind: "link", href, content }] : content;
      }
      case "escape":
        return [toText(token)];
      case "br":
        return [" "];
      default:
        return [token.raw];
    }
  });
}

/** A line break inside a paragraph is a space, as in HTML. */
function toText(token: Token): string {
  const { text, raw } = token as Tokens.Text;
  return (text ?? raw).replaceAll("\n", " ");
}

/** A path of this site, a part of the page, the web or an e-mail address; not `javascript:` or another host by `//`. */
function isSafeLink(href: string): boolean {
  return /^(?:https?:\/\/|mailto:|#|\/(?![/\\]))/i.test(href);
}

function toId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
