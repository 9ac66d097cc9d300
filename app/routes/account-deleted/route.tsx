import type { MetaFunction } from "@remix-run/node";
import { useEffect } from "react";
import { clearStoredPasskey } from "~/browser/stored-passkey";
import { Antelope } from "~/components/brand/antelope";
import { Narrow } from "~/components/shell/layouts";
import { paths } from "~/lib/paths";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { Stack } from "~/ui/layout";

export const meta: MetaFunction = () => [{ title: "Account deleted · Antelope" }];

/** Shown after an account was deleted. It doesn't say whose account it was. */
export default function AccountDeleted() {
  // The passkey itself stays on the device: only its owner can remove it there.
  useEffect(() => clearStoredPasskey(), []);
  return (
    <Narrow>
      <Card>
        <EmptyState
          illustration={<Antelope pose="grazing" />}
          heading="h1"
          title="Your account is deleted"
          action={
            <ButtonLink to={paths.login()} kind="primary" size="large">
              Go to the sign-in page
            </ButtonLink>
          }
        >
          <Stack gap={3}>
            <p>If your e-mail address was verified, we've sent you a confirmation.</p>
            <p>
              Your passkey no longer works here. You can delete it from your device or password manager, where it is
              called Antelope.
            </p>
            <p>Thank you for using Antelope.</p>
          </Stack>
        </EmptyState>
      </Card>
    </Narrow>
  );
}
