import type { MetaFunction } from "@remix-run/node";
import { useEffect } from "react";
import { clearStoredPasskey } from "~/browser/stored-passkey";
import { Narrow } from "~/components/shell/layouts";
import { paths } from "~/lib/paths";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";

export const meta: MetaFunction = () => [{ title: "Account deleted · Antelope" }];

/** Shown after an account was deleted. It doesn't say whose account it was. */
export default function AccountDeleted() {
  // The passkey itself stays on the device: only its owner can remove it there.
  useEffect(() => clearStoredPasskey(), []);
  return (
    <Narrow
      title="Your account is deleted"
      lede="If you had verified your e-mail address, we have sent you a confirmation."
    >
      <Card roomy>
        <Stack gap={4}>
          <p>
            Your passkey no longer works here. You can delete it from your device or password manager, where it is
            called Antelope.
          </p>
          <p>Thank you for using Antelope.</p>
          <Row>
            <ButtonLink to={paths.login()}>Go to the sign-in page</ButtonLink>
          </Row>
        </Stack>
      </Card>
    </Narrow>
  );
}
