import type { Kyc } from "~/api/contract";
import { Antelope } from "~/components/brand/antelope";
import { paths } from "~/lib/paths";
import { useSiteTerms } from "~/loaded-data/root-data";
import { ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { Row } from "~/ui/layout";
import { Note } from "~/ui/note";
import { PlainList } from "~/ui/plain-list";

const results: Record<"pending" | "approved", { title: string; next: string }> = {
  pending: {
    title: "We're reviewing your details",
    next: "There is nothing you need to do. It usually takes a minute. Sometimes a person has to check the details, which can take a day. You can close this page: we e-mail you when it's done.",
  },
  approved: { title: "You are verified", next: "You can swap now. You don't have to do this again." },
};

const corrections: Record<"rejected" | "action_required", { tone: "waiting" | "danger"; title: string }> = {
  rejected: {
    tone: "danger",
    title: "We couldn't verify your identity",
  },
  action_required: {
    tone: "waiting",
    title: "Correct your details",
  },
};

type Props = { kyc: Kyc; redirect: string | null };

/**
 * The status of the verification: its result, or the reviewer's reasons above the form. Show it in a LiveRegion. Shows
 * nothing until details are sent, because the page itself says what to do.
 */
export function KycStatusNote({ kyc, redirect }: Props) {
  const { status, reasons } = kyc;
  if (status === "not_started") return null;
  if (status === "pending" || status === "approved") return <Result status={status} redirect={redirect} />;
  const { tone, title } = corrections[status];
  return (
    <Note tone={tone} title={title}>
      {reasons.length > 0 ? (
        <PlainList>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </PlainList>
      ) : null}
      <p>Change your details below and send them again.</p>
    </Note>
  );
}

function Result({ status, redirect }: { status: "pending" | "approved"; redirect: Props["redirect"] }) {
  const { title, next } = results[status];
  const { supportEmail } = useSiteTerms();
  const isPending = status === "pending";
  return (
    <EmptyState
      illustration={isPending ? <Antelope pose="grazing" /> : <Antelope pose="leaping" />}
      title={title}
      action={
        isPending ? (
          <ButtonLink to={paths.kyc({ redirect })} replace prefetch="none">
            Check again
          </ButtonLink>
        ) : (
          <Row justify="center">
            <ButtonLink to={redirect ?? paths.swap} kind="primary" size="large">
              Start swapping
            </ButtonLink>
            <ButtonLink to={paths.doger} size="large">
              Activity and account
            </ButtonLink>
          </Row>
        )
      }
    >
      {isPending ? (
        <noscript>
          <meta httpEquiv="refresh" content="15" />
        </noscript>
      ) : null}
      <p>
        {next}
        {isPending && supportEmail !== null ? (
          <>
            {" "}
            Longer than a day? <a href={paths.contact()}>Write to us</a>.
          </>
        ) : null}
      </p>
    </EmptyState>
  );
}
