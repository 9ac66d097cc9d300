import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { Kyc, KycStatus } from "~/api/contract";
import { useSiteTerms } from "~/browser/root-data";
import { useRouteContext } from "~/browser/route-context";
import { paths } from "~/lib/paths";
import { ButtonLink } from "~/ui/button";
import { Row } from "~/ui/layout";
import { Note } from "~/ui/note";

/** A review can take seconds or hours. */
const toRefreshMs = (checks: number) => (checks < 10 ? 1_000 : 5_000);

const toCorrect = "Change your details below and send them again.";

const messages: Record<KycStatus, { tone: "info" | "good" | "waiting" | "danger"; title: string; next: string }> = {
  not_started: {
    tone: "info",
    title: "Not verified yet",
    next: "Once you send your details, we usually decide within a minute.",
  },
  pending: {
    tone: "waiting",
    title: "We're reviewing your details",
    next: "There is nothing you need to do. It usually takes a minute. Sometimes a person has to look, which can take a day. You can close this page: we e-mail you when it's done.",
  },
  approved: { tone: "good", title: "You are verified", next: "You can swap now." },
  rejected: {
    tone: "danger",
    title: "We couldn't verify your identity",
    next: toCorrect,
  },
  action_required: {
    tone: "waiting",
    title: "Correct your details",
    next: toCorrect,
  },
};

/** The status of the verification, the reviewer's reasons and the next step. Show it in a LiveRegion. */
export function KycStatusNote({ kyc, redirect }: { kyc: Kyc; redirect: string | null }) {
  const { tone, title, next } = messages[kyc.status];
  // The layout's user, which other pages show, is loaded separately, maybe just before the decision.
  const { user } = useRouteContext();
  const { supportEmail } = useSiteTerms();
  useRefreshWhile(kyc.status === "pending" || user?.kyc_status === "pending");
  return (
    <Note
      tone={tone}
      title={title}
      action={
        kyc.status === "approved" ? (
          <Row>
            <ButtonLink to={redirect ?? paths.swap} kind="primary">
              Start swapping
            </ButtonLink>
            <ButtonLink to={paths.doger}>Activity and account</ButtonLink>
          </Row>
        ) : kyc.status === "pending" ? (
          <ButtonLink to={paths.kyc({ redirect })} replace prefetch="none">
            Check again
          </ButtonLink>
        ) : undefined
      }
    >
      {kyc.status === "pending" ? (
        <noscript>
          <meta httpEquiv="refresh" content="15" />
        </noscript>
      ) : null}
      {kyc.reasons.length > 0 ? (
        <ul>
          {kyc.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : null}
      <p>
        {next}
        {kyc.status === "pending" && supportEmail !== null ? (
          <>
            {" "}
            Longer than a day? <a href={paths.contact()}>Write to us</a>.
          </>
        ) : null}
      </p>
    </Note>
  );
}

/** Reloads the page's data every second, later every five seconds, and whenever the page becomes visible. */
function useRefreshWhile(waiting: boolean): void {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  // A second load would abort the first one, and start a navigation's loads again.
  const isLoading = useRef(false);
  isLoading.current = state !== "idle" || navigation.state !== "idle";
  useEffect(() => {
    if (!waiting) return;
    let checks = 0;
    let timer: ReturnType<typeof setTimeout>;
    function check() {
      if (document.visibilityState === "visible" && !isLoading.current) revalidate();
    }
    function checkLater() {
      timer = setTimeout(() => {
        checks += 1;
        check();
        checkLater();
      }, toRefreshMs(checks));
    }
    checkLater();
    document.addEventListener("visibilitychange", check);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", check);
    };
  }, [waiting, revalidate]);
}
