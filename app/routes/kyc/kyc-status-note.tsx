import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import type { Kyc, KycStatus } from "~/api/contract";
import { paths } from "~/lib/paths";
import { ButtonLink } from "~/ui/button";
import { Note } from "~/ui/note";

const askAgainMs = 2_500;

const words: Record<KycStatus, { tone: "info" | "good" | "waiting" | "danger"; title: string; next: string }> = {
  not_started: {
    tone: "info",
    title: "Not verified yet",
    next: "The answer usually comes within a minute of sending your details.",
  },
  pending: {
    tone: "waiting",
    title: "We are looking at your application",
    next: "Nothing to do for you. This page asks again by itself; you may also leave and come back.",
  },
  approved: { tone: "good", title: "You are verified", next: "You can swap now." },
  rejected: {
    tone: "danger",
    title: "Your application was refused",
    next: "Correct what was wrong and send it again.",
  },
  action_required: {
    tone: "waiting",
    title: "Something is missing",
    next: "Mend what is named here and send it again.",
  },
};

/** Where the application stands, why, and what comes next. */
export function KycStatusNote({ kyc, redirect }: { kyc: Kyc; redirect: string | null }) {
  const { tone, title, next } = words[kyc.status];
  useAskAgain(kyc.status === "pending");
  return (
    <Note
      tone={tone}
      title={title}
      live
      action={
        kyc.status === "approved" ? (
          <ButtonLink to={redirect ?? paths.swap} kind="primary">
            Start swapping
          </ButtonLink>
        ) : kyc.status === "pending" ? (
          <ButtonLink to={paths.kyc({ redirect })} kind="quiet" replace prefetch="none">
            Look again
          </ButtonLink>
        ) : undefined
      }
    >
      {kyc.reasons.length > 0 ? (
        <ul>
          {kyc.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : null}
      <p>{next}</p>
    </Note>
  );
}

function useAskAgain(waiting: boolean): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!waiting || state !== "idle") return;
    const timer = setTimeout(() => {
      if (document.visibilityState === "visible") revalidate();
    }, askAgainMs);
    const onShown = () => {
      if (document.visibilityState === "visible") revalidate();
    };
    document.addEventListener("visibilitychange", onShown);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onShown);
    };
  }, [waiting, state, revalidate]);
}
