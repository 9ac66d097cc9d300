import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import * as styles from "./kyc.css";

type Step = "prove" | "code" | "apply" | "wait";

const steps: { key: readonly Step[]; words: string }[] = [
  { key: ["prove", "code"], words: "You prove that the e-mail address is yours." },
  { key: ["apply"], words: "You send your name, your date of birth and a document's number." },
  { key: ["wait"], words: "A reviewer compares them. Usually within a minute; at times it takes a day." },
];

/** What happens next, and why we ask at all; no step is the current one when all are done. */
export function WhatHappens({ step }: { step: Step | null }) {
  return (
    <Card as="aside">
      <Stack gap={4}>
        <h2 className={text.heading}>What happens</h2>
        <ol className={styles.steps}>
          {steps.map(({ key, words }) => (
            <li key={words} aria-current={step && key.includes(step) ? "step" : undefined}>
              {words}
            </li>
          ))}
        </ol>
        <p className={text.muted}>
          We ask because the law wants whoever changes coins for others to know them. Your details go to the reviewer
          and to nobody else; a swap under way goes on whatever becomes of them.
        </p>
      </Stack>
    </Card>
  );
}
