import { Link } from "@remix-run/react";
import type { KycStatus, User } from "~/api/contract";
import { HelpLinks } from "~/components/help/help-links";
import { DateTime } from "~/components/locale/date-time";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Badge } from "~/ui/badge";
import { Card } from "~/ui/card";
import { DataList } from "~/ui/data-list";
import { Row, Stack } from "~/ui/layout";
import type { Tone } from "~/ui/note";

type Props = { user: Pick<User, "email" | "created_at" | "kyc_status"> };

const verificationBadges: Record<KycStatus, { label: string; tone: Tone }> = {
  not_started: { label: "Not verified", tone: "info" },
  pending: { label: "In review", tone: "waiting" },
  approved: { label: "Verified", tone: "good" },
  rejected: { label: "Correct your details", tone: "danger" },
  action_required: { label: "Correct your details", tone: "waiting" },
};

export function ProfileCard({ user: { email, created_at, kyc_status } }: Props) {
  const { label, tone } = verificationBadges[kyc_status];
  return (
    <Card aria-labelledby="profile-title">
      <Stack gap={4}>
        <h3 className={text.heading} id="profile-title">
          Profile
        </h3>
        <DataList
          rows={[
            { term: "E-mail address", value: email },
            {
              term: "Identity",
              value: (
                <Row gap={2} justify="end">
                  <Badge tone={tone}>{label}</Badge>
                  {kyc_status === "approved" ? null : <Link to={paths.kyc()}>Verification</Link>}
                </Row>
              ),
            },
            { term: "Account created", value: <DateTime at={created_at} /> },
          ]}
        />
        <HelpLinks links={[{ id: "change-email", question: "Can I change my e-mail address?" }]} />
      </Stack>
    </Card>
  );
}
