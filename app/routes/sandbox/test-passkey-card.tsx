import { useEffect, useState } from "react";
import { storeTestPasskeyUse } from "~/browser/test-passkey/last-used";
import { createPasskeyStore, type StoredPasskey } from "~/browser/test-passkey/stored-passkeys";
import { DateTime } from "~/components/locale/date-time";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { DataList } from "~/ui/data-list";
import { Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";

/** Explains test passkeys, and lists and deletes those in this browser. */
export function TestPasskeyCard() {
  const [passkeys, setPasskeys] = useState<StoredPasskey[]>([]);
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => setPasskeys(openStore()?.list() ?? []), []);

  function deleteAll() {
    openStore()?.clear();
    storeTestPasskeyUse(false);
    setPasskeys([]);
    setAnnouncement("Test passkeys deleted.");
  }

  return (
    <Card id="test-passkey" aria-labelledby="test-passkey-title">
      <Stack gap={4}>
        <h2 id="test-passkey-title" className={text.heading}>
          Test passkey
        </h2>
        <p className={text.muted}>
          You need a passkey to swap, but not every browser can create one. In that case, choose “Use a test passkey”
          when you sign in or create an account: the site creates a key in this browser, and the exchange checks it like
          a real passkey. It isn't protected by a fingerprint or PIN, so it exists only in the sandbox.
        </p>
        {passkeys.length > 0 ? (
          <>
            <DataList
              rows={passkeys.map(({ id, userName, createdAt }) => ({
                key: id,
                term: userName,
                value: <DateTime at={createdAt} />,
              }))}
            />
            <Button type="button" onClick={deleteAll}>
              Delete this browser's test passkeys
            </Button>
          </>
        ) : (
          <p>This browser has no test passkeys.</p>
        )}
        <LiveRegion>{announcement}</LiveRegion>
      </Stack>
    </Card>
  );
}

/** Null if the browser blocks local storage. */
function openStore() {
  try {
    return createPasskeyStore(window.localStorage);
  } catch {
    return null;
  }
}
