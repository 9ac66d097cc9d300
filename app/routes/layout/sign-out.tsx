import { Form } from "@remix-run/react";
import { tellSignedOut } from "~/browser/tabs";
import { paths } from "~/lib/paths";
import { emptyQueryCache } from "~/session/cache-registry";
import { Button } from "~/ui/button";

/** Signing out ends it on every tab; without scripts it is a plain form. */
export function SignOut() {
  return (
    <Form
      method="post"
      action={paths.logout}
      onSubmit={() => {
        emptyQueryCache();
        // The others ask the server, which by then knows; a moment's head start for the post itself.
        setTimeout(tellSignedOut, 300);
      }}
    >
      <Button kind="secondary" full>
        Sign out
      </Button>
    </Form>
  );
}
