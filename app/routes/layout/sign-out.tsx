import { Form } from "@remix-run/react";
import { paths } from "~/lib/paths";
import { Button } from "~/ui/button";

/** Signs out in this tab; `useSessionUpkeep` then notifies the others. */
export function SignOut() {
  return (
    <Form method="post" action={paths.logout}>
      <Button kind="secondary" full>
        Sign out
      </Button>
    </Form>
  );
}
