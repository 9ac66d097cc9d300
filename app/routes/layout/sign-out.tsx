import { Form } from "@remix-run/react";
import { paths } from "~/lib/paths";
import { Button } from "~/ui/button";

/** A plain form without scripts. With them, `useSessionUpkeep` notifies the other tabs once the session has ended. */
export function SignOut() {
  return (
    <Form method="post" action={paths.logout}>
      <Button kind="secondary" full>
        Sign out
      </Button>
    </Form>
  );
}
