import { useEffect, useMemo, useRef } from "react";
import { text } from "~/styles/text.css";
import { Button, ExternalButtonLink } from "~/ui/button";
import { CopyButton } from "~/ui/copy-button";
import { Disclosure } from "~/ui/disclosure";
import { drawQrCode } from "~/ui/draw-qr";
import { Row, Stack } from "~/ui/layout";
import { QrCode } from "~/ui/qr-code";
import { Spinner } from "~/ui/spinner";
import * as styles from "../wallet.css";

type Props = { uri: string; onCancel(): void };

/** The code that a wallet scans, and the link that opens one on this device. */
export default function PairingPanel({ uri, onCancel }: Props) {
  const drawing = useMemo(() => drawQrCode(uri), [uri]);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const code = <QrCode drawing={drawing} label="QR code for WalletConnect. You can also copy its link." />;
  return (
    <section ref={panel} className={styles.pairing} aria-label="Connect with WalletConnect" tabIndex={-1}>
      <div className={styles.notHandheld}>{code}</div>
      <Stack gap={3}>
        <div className={styles.handheldOnly}>
          <ExternalButtonLink href={uri} kind="primary" size="large" full>
            Connect my wallet app
          </ExternalButtonLink>
        </div>
        <p className={styles.notHandheld}>Scan this code with your wallet's app, then approve the connection there.</p>
        <p className={styles.handheldOnly}>Approve the connection in your wallet, then come back to this page.</p>
        <p className={`${text.small} ${text.muted}`}>
          The code works once and for five minutes. Your wallet asks you again before anything is sent.
        </p>
        <Spinner>Waiting for your wallet…</Spinner>
        <Row>
          <CopyButton value={uri} what="the link for WalletConnect">
            Copy link
          </CopyButton>
          <Button type="button" kind="quiet" size="small" onClick={onCancel}>
            Cancel
          </Button>
        </Row>
        <div className={styles.handheldOnly}>
          <Disclosure summary="Connect a wallet on another device">{code}</Disclosure>
        </div>
      </Stack>
    </section>
  );
}
