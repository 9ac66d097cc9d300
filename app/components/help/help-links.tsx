import type { AnswerId } from "~/lib/help-topics";
import { paths } from "~/lib/paths";
import { LinkRow } from "~/ui/link-row";
import { VisuallyHidden } from "~/ui/visually-hidden";

/** A link to an answer. A test checks that the question is the answer's title. */
export type HelpLink = { id: AnswerId; question: string };

type Props = {
  links: readonly HelpLink[];
  /** For pages with a form, because leaving the page would lose what was typed. */
  inNewTab?: boolean;
};

/** Links to answers of the help centre. They are documents without React, so these are plain links. */
export function HelpLinks({ links, inNewTab }: Props) {
  return (
    <LinkRow label="Help:">
      {links.map(({ id, question }) => (
        <a key={id} href={paths.answer(id)} {...(inNewTab && { target: "_blank", rel: "noreferrer" })}>
          {question}
          {inNewTab ? <VisuallyHidden> (opens in a new tab)</VisuallyHidden> : null}
        </a>
      ))}
    </LinkRow>
  );
}
