import { useRouteLoaderData } from "@remix-run/react";
import type { Credentials } from "~/browser/credentials";
import type { loader as rootLoader } from "~/root";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Row } from "~/ui/layout";

/** For `chooseCredentials`: loads the software authenticator at the moment it is needed. */
export async function loadTestCredentials(): Promise<Credentials> {
  const { openTestCredentials } = await import("./credentials");
  return openTestCredentials();
}

/** Beside the real passkey, in the sandbox alone: for a browser or a device that has none. */
export function TestPasskeyButton({ onClick }: { onClick(): void }) {
  const root = useRouteLoaderData<typeof rootLoader>("root");
  if (!root?.sandbox) return null;
  return (
    <Row gap={2}>
      <span className={text.muted}>No passkey here?</span>
      <Button type="button" kind="quiet" size="small" onClick={onClick}>
        Use a test passkey
      </Button>
    </Row>
  );
}
