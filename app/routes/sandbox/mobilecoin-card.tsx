import { Form } from "@remix-run/react";
import { CoinName } from "~/components/brand/coin";
import { DateTime } from "~/components/locale/date-time";
import { useLocale } from "~/components/locale/use-locale";
import { toRefused } from "~/lib/form-result";
import { parseAmount } from "~/lib/money";
import { formatExactly, toRoughAmount } from "~/lib/shown-amount";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { CopyField } from "~/ui/copy-field";
import { DataList } from "~/ui/data-list";
import { Disclosure } from "~/ui/disclosure";
import type { QrDrawing } from "~/ui/draw-qr";
import { Stack } from "~/ui/layout";
import { QrCode } from "~/ui/qr-code";
import { TextField } from "~/ui/text-field";
import { useErrorFocus } from "~/ui/use-error-focus";
import type { SandboxResult } from "./action.server";
import type { SandboxMobWallet } from "./embedded-sandbox.server";
import * as styles from "./sandbox.css";
import type { SandboxParams } from "./search-params";
import { TransferNote } from "./transfer-note";

type Props = {
  action: string;
  wallet: SandboxMobWallet;
  qr: QrDrawing;
  params: SandboxParams;
  result: SandboxResult | undefined;
};

/** A shared MobileCoin wallet for testers, to pay for swaps and to receive them. */
export function MobilecoinCard({ action, wallet, qr, params, result }: Props) {
  const { numbers } = useLocale();
  return (
    <Card id="mobilecoin" aria-labelledby="mobilecoin-title">
      <Stack gap={6}>
        <Stack gap={4}>
          <h2 id="mobilecoin-title" className={text.heading}>
            MobileCoin wallet
          </h2>
          <div className={styles.balance}>
            <span className={text.muted}>Balance</span>
            <span className={styles.coins}>
              <span className={text.amount}>
                {formatExactly(toRoughAmount(parseAmount(wallet.balance, "MOB"), "MOB"), numbers)}
              </span>
              <span className={styles.coin}>
                <CoinName asset="MOB" />
              </span>
            </span>
          </div>
        </Stack>
        <PayForm action={action} params={params} result={result} />
        <Stack gap={3}>
          <CopyField
            label="Wallet address, to save as a delivery address"
            value={wallet.address}
            groups={5}
            what="the address"
          />
          <Disclosure summary="Show as a QR code">
            <QrCode drawing={qr} label="QR code of the wallet's MobileCoin address, which you can copy above" />
          </Disclosure>
        </Stack>
        <Stack gap={3}>
          <h3 className={styles.subject}>Received</h3>
          {wallet.received.length === 0 ? (
            <p className={text.muted}>Nothing yet. MOB delivered to this wallet appears here.</p>
          ) : (
            <DataList
              rows={wallet.received.map(({ amount, at }, index) => ({
                key: `${at} ${index}`,
                term: <DateTime at={at} />,
                value: `${formatExactly(amount, numbers)} MOB`,
              }))}
            />
          )}
        </Stack>
      </Stack>
    </Card>
  );
}

function PayForm({ action, params, result }: Pick<Props, "action" | "params" | "result">) {
  const isSending = useIsSending();
  const mine = result?.intent === "pay" ? result : undefined;
  const form = useErrorFocus(mine);
  const refused = toRefused(mine);
  const prefilled = params.asset === "MOB" ? params : null;
  return (
    <Stack gap={4}>
      <TransferNote result={mine} redirect={params.redirect} />
      <Form method="post" action={action} preventScrollReset ref={form}>
        <Stack gap={4}>
          <TextField
            label="Pay to this MobileCoin address"
            name="address"
            code
            autoComplete="off"
            spellCheck={false}
            maxLength={1_000}
            required
            error={refused?.fields?.address}
            defaultValue={refused?.values?.address ?? prefilled?.address ?? ""}
          />
          <TextField
            label="Amount"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            maxLength={30}
            required
            suffix="MOB"
            error={refused?.fields?.amount}
            defaultValue={refused?.values?.amount ?? prefilled?.amount ?? ""}
          />
          <Button
            kind={prefilled && mine?.kind !== "done" ? "primary" : "secondary"}
            full
            name="intent"
            value="pay"
            pending={isSending({ intent: "pay" }) && "Waiting for a block…"}
          >
            Pay from this wallet
          </Button>
        </Stack>
      </Form>
    </Stack>
  );
}
