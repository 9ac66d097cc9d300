import type { AnswerId } from "~/lib/help-topics";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Row } from "~/ui/layout";

/** A link to an answer. A test checks that the question is the answer's title. */
export type HelpLink = { id: AnswerId; question: string };

/** Links to answers of the help centre. They are documents without React, so these are plain links. */
export function HelpLinks({ links }: { links: readonly HelpLink[] }) {
  return (
    <Row gap={2} className={text.small}>
      Help:
      {links.map(({ id, question }) => (
        <a key={id} href={paths.answer(id)}>
          {question}
        </a>
      ))}
    </Row>
  );
}
