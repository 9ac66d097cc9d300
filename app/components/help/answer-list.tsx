import type { AnswerId } from "~/lib/help-topics";
import { paths } from "~/lib/paths";
import { PlainList } from "~/ui/plain-list";
import * as styles from "./help.css";

type Props = { answers: readonly { id: AnswerId; question: string; summary: string }[]; withSummary?: boolean };

/** Questions as links to their answers. */
export function AnswerList({ answers, withSummary }: Props) {
  return (
    <PlainList className={styles.list}>
      {answers.map(({ id, question, summary }) => (
        <li key={id}>
          <a className={styles.question} href={paths.answer(id)}>
            {question}
          </a>
          {withSummary ? <p className={styles.summary}>{summary}</p> : null}
        </li>
      ))}
    </PlainList>
  );
}
