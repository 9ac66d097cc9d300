import { Form, useNavigation } from "@remix-run/react";
import { paths } from "~/lib/paths";
import { Button } from "~/ui/button";

/** Signs out in this tab; `useSessionUpkeep` then notifies the others. */
export function SignOut() {
  const isPending = useNavigation().formAction === paths.logout;
  return (
    <Form method="post" action={paths.logout}>
      <Button kind="secondary" full pending={isPending && "Signing out…"}>
        Sign out
      </Button>
    </Form>
  );
}
