import { useEffect, useState } from "react";
import { Moment } from "~/components/locale/moment";
import { type KeptPasskey, keepPasskeys } from "~/components/test-passkey/kept-passkeys";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { DataList } from "~/ui/data-list";
import { Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";

/** What the test passkey is, which of them this browser holds, and how to be rid of them. */
export function TestPasskeyCard() {
  const [kept, setKept] = useState<KeptPasskey[]>([]);
  const [said, setSaid] = useState("");
  useEffect(() => setKept(openKeep()?.list() ?? []), []);

  function forget() {
    openKeep()?.clear();
    setKept([]);
    setSaid("The test passkeys of this browser are forgotten.");
  }

  return (
    <Card id="test-passkey" aria-labelledby="test-passkey-title">
      <Stack gap={4}>
        <h2 id="test-passkey-title" className={text.heading}>
          Test passkey
        </h2>
        <p className={text.muted}>
          Swapping needs a passkey, and not every browser can make one. Choose “Use a test passkey” when you sign in or
          create an account: a key made by this page answers as your device would, and the exchange checks it by the
          same rules. It asks nobody for a finger or a code, so it exists in the sandbox alone.
        </p>
        {kept.length > 0 ? (
          <>
            <DataList
              rows={kept.map(({ id, userName, createdAt }) => ({
                key: id,
                term: userName,
                value: <Moment at={createdAt} />,
              }))}
            />
            <Button type="button" onClick={forget}>
              Forget the test passkeys of this browser
            </Button>
          </>
        ) : (
          <p>This browser holds none.</p>
        )}
        <LiveRegion>{said}</LiveRegion>
      </Stack>
    </Card>
  );
}

/** Null in a browser that keeps nothing. */
function openKeep() {
  try {
    return keepPasskeys(window.localStorage);
  } catch {
    return null;
  }
}
