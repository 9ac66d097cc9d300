import { useRootData } from "~/loaded-data/root-data";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Row } from "~/ui/layout";

/** Sandbox only: an alternative for browsers and devices without passkeys. */
export function TestPasskeyButton({ onClick }: { onClick(): void }) {
  if (!useRootData()?.isPlayMoney) return null;
  return (
    <Row gap={2}>
      <span className={text.muted}>No passkey on this device?</span>
      <Button type="button" size="small" onClick={onClick}>
        Use a test passkey
      </Button>
    </Row>
  );
}
