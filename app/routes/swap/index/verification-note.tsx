import type { KycStatus } from "~/api/contract";
import { paths } from "~/lib/paths";
import { ButtonLink } from "~/ui/button";
import { Note } from "~/ui/note";

const toVerification = "Continue to verification";

/**
 * The label of the calculator's button. Until the customer is verified, the button leads to /kyc and keeps the amount.
 */
export const continueTexts: Record<KycStatus, string> = {
  approved: "Continue",
  pending: "Check your verification",
  not_started: toVerification,
  rejected: toVerification,
  action_required: toVerification,
};

type VerificationNoteProps = {
  status: Exclude<KycStatus, "approved">;
  /** Whether the calculator's button works. */
  hasButton: boolean;
};

export function VerificationNote({ status, hasButton }: VerificationNoteProps) {
  const { title, next } = verificationNotes[status];
  return (
    <Note
      tone={status === "pending" ? "waiting" : "info"}
      title={title}
      action={
        hasButton ? null : (
          <ButtonLink to={paths.kyc()} size="small">
            {continueTexts[status]}
          </ButtonLink>
        )
      }
    >
      <p>{next}</p>
    </Note>
  );
}

const toCorrect = {
  title: "Correct your details",
  next: "We couldn't verify your identity with the details you sent.",
};

const verificationNotes = {
  not_started: {
    title: "Verify your identity first",
    next: "It usually takes a minute, and you only do it once. You need it to get an exact price.",
  },
  pending: {
    title: "We're reviewing your details",
    next: "There is nothing you need to do. We'll e-mail you when it's done. Then you can swap.",
  },
  rejected: toCorrect,
  action_required: toCorrect,
};
