import { Fragment } from "react";
import type { Block, Inline } from "~/lib/prose";
import { text } from "~/styles/text.css";
import * as styles from "./prose.css";

/** Text that was written in Markdown. Its links load a new document: most lead to pages that run without React. */
export function Prose({ blocks }: { blocks: readonly Block[] }) {
  return <div className={styles.prose}>{blocks.map(toElement)}</div>;
}

function toElement(block: Block, at: number) {
  switch (block.kind) {
    case "heading":
      return (
        <h2 key={block.id} id={block.id} className={`${text.heading} ${styles.heading}`}>
          <Inlines of={block.content} />
        </h2>
      );
    case "paragraph":
      return (
        <p key={at}>
          <Inlines of={block.content} />
        </p>
      );
    case "list": {
      const List = block.ordered ? "ol" : "ul";
      return (
        <List key={at}>
          {block.items.map((item, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes on the page
            <li key={position}>
              <Inlines of={item} />
            </li>
          ))}
        </List>
      );
    }
  }
}

function Inlines({ of }: { of: readonly Inline[] }) {
  return of.map((part, at) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes on the page
    return <Fragment key={at}>{toInline(part)}</Fragment>;
  });
}

function toInline(part: Inline) {
  if (typeof part === "string") return part;
  switch (part.kind) {
    case "code":
      return <code>{part.text}</code>;
    case "link":
      return (
        <a href={part.href}>
          <Inlines of={part.content} />
        </a>
      );
    default: {
      const Element = part.kind;
      return (
        <Element>
          <Inlines of={part.content} />
        </Element>
      );
    }
  }
}
