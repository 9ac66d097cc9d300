import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import * as styles from "./kyc.css";

type Step = "confirm-email" | "code" | "apply" | "wait";

const steps: { during: readonly Step[]; text: string }[] = [
  { during: ["confirm-email", "code"], text: "You confirm your e-mail address." },
  { during: ["apply"], text: "You send your name, your date of birth and the number of an identity document." },
  { during: ["wait"], text: "A reviewer checks them. This usually takes a minute, but can take up to a day." },
];

/** Explains the verification steps and why we ask. `step` is null when all are done. */
export function HowVerificationWorks({ step }: { step: Step | null }) {
  return (
    <Card as="aside">
      <Stack gap={4}>
        <h2 className={text.heading}>How verification works</h2>
        <ol className={styles.steps}>
          {steps.map(({ during, text: stepText }) => (
            <li key={stepText} aria-current={step && during.includes(step) ? "step" : undefined}>
              {stepText}
            </li>
          ))}
        </ol>
        <p className={text.muted}>
          We ask because the law requires exchanges to know their customers. Your details go only to the reviewer. Swaps
          already in progress continue, whatever the outcome.
        </p>
      </Stack>
    </Card>
  );
}
