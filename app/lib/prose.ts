/** Formatted text, as the server reads it from Markdown and components show it. It never contains HTML. */
export type Inline =
  | string
  | { kind: "strong" | "em"; content: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "link"; href: string; content: Inline[] };

export type Block =
  | { kind: "heading"; id: string; content: Inline[] }
  | { kind: "paragraph"; content: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] };

/** A title, an optional first paragraph that introduces the rest, and the rest. */
export type Document = { title: string; lede: string; blocks: Block[] };

/** The text without its formatting. */
export function toPlainText(content: readonly Inline[]): string {
  return content
    .map((part) => {
      if (typeof part === "string") return part;
      return "text" in part ? part.text : toPlainText(part.content);
    })
    .join("");
}
