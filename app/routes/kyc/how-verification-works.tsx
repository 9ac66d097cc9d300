import { HelpLinks } from "~/components/help/help-links";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import * as styles from "./kyc.css";

const steps = [
  "You confirm your e-mail address.",
  "You send your name, your date of birth and the number of an identity document.",
  "A reviewer checks them. This usually takes a minute. Sometimes a person has to check the details, which can take a day.",
];

/** Explains the verification steps and why we ask. */
export function HowVerificationWorks() {
  return (
    <Card as="aside" roomy>
      <Stack gap={4}>
        <h2 className={text.heading}>How verification works</h2>
        <ol className={styles.steps}>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <p className={text.muted}>
          We ask because the law requires exchanges to know their customers. We keep your details encrypted and pass
          them only to our reviewer, and to authorities if the law requires it. If you have already paid for a swap, we
          complete it or refund it, whatever the outcome.
        </p>
        <HelpLinks
          inNewTab
          links={[
            { id: "verification", question: "Why do you verify my identity?" },
            { id: "verification-refused", question: "What if I can't be verified?" },
          ]}
        />
      </Stack>
    </Card>
  );
}
