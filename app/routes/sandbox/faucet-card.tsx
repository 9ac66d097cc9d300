import { Form } from "@remix-run/react";
import { toRefused } from "~/lib/form-result";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import { Select } from "~/ui/select";
import { TextField } from "~/ui/text-field";
import { useErrorFocus } from "~/ui/use-error-focus";
import type { SandboxResult } from "./action.server";
import * as styles from "./sandbox.css";
import type { SandboxParams } from "./search-params";
import { TransferNote } from "./transfer-note";

type Props = { action: string; result: SandboxResult | undefined; params: SandboxParams };

/** Mints USDT or ETH for any address. */
export function FaucetCard({ action, result, params }: Props) {
  const isSending = useIsSending();
  const mine = result?.intent === "faucet" ? result : undefined;
  const form = useErrorFocus(mine);
  const refused = toRefused(mine);
  const prefilled = params.asset === "USDT" ? params : null;
  return (
    <Card id="faucet" aria-labelledby="faucet-title">
      <Stack gap={4}>
        <h2 id="faucet-title" className={text.heading}>
          Faucet
        </h2>
        <p className={text.muted}>
          Sends test USDT, or ETH for network fees, to any Ethereum address. You don't need it for the test wallet on a
          swap's page, which gets its test coins automatically.
        </p>
        <TransferNote result={mine} redirect={params.redirect} />
        {/* Keeps what was sent, even without JavaScript: the same address may need the other coin, too. */}
        <Form method="post" action={action} preventScrollReset ref={form}>
          <Stack gap={4}>
            <TextField
              label="Ethereum address"
              name="address"
              code
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
              required
              placeholder="0x…"
              error={refused?.fields?.address}
              defaultValue={mine?.values?.address ?? prefilled?.address ?? ""}
            />
            <div className={styles.pair}>
              <TextField
                label="Amount"
                name="amount"
                inputMode="decimal"
                autoComplete="off"
                maxLength={30}
                required
                error={refused?.fields?.amount}
                defaultValue={mine?.values?.amount ?? prefilled?.amount ?? "1000"}
              />
              <Select
                label="Coin"
                name="asset"
                defaultValue={mine?.values?.asset ?? "USDT"}
                options={[
                  { value: "USDT", label: "USDT" },
                  { value: "ETH", label: "ETH" },
                ]}
              />
            </div>
            <Button
              kind={prefilled && mine?.kind !== "done" ? "primary" : "secondary"}
              full
              name="intent"
              value="faucet"
              pending={isSending({ intent: "faucet" }) && "Waiting for a block…"}
            >
              Send test coins
            </Button>
          </Stack>
        </Form>
      </Stack>
    </Card>
  );
}
