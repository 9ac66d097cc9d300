import { Form } from "@remix-run/react";
import { paths } from "~/lib/paths";
import { clearQueryCache } from "~/query-cache/invalidation";
import { Button } from "~/ui/button";

/**
 * Without scripts it is a plain form. With them, `useSessionUpkeep` notifies the other tabs once the session has ended.
 */
export function SignOut() {
  return (
    <Form method="post" action={paths.logout} onSubmit={clearQueryCache}>
      <Button kind="secondary" full>
        Sign out
      </Button>
    </Form>
  );
}
