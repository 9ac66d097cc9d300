import { Form, useNavigation } from "@remix-run/react";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import { Select } from "~/ui/select";
import { TextField } from "~/ui/text-field";
import type { SandboxResult } from "./act.server";
import { ResultNote } from "./result-note";
import * as styles from "./sandbox.css";
import type { SandboxParams } from "./search-params";

type Props = { action: string; result: SandboxResult | undefined; params: SandboxParams };

/** Mints USDT or ETH for any address. */
export function FaucetCard({ action, result, params }: Props) {
  const pending = useNavigation().formData?.get("intent") === "faucet";
  const submitted = result?.intent === "faucet" ? result.values : null;
  const prefilled = params.asset === "USDT" ? params : null;
  const done = result?.intent === "faucet" && result.done !== null;
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
        <ResultNote result={result} intent="faucet" redirect={params.redirect} />
        <Form method="post" action={action} preventScrollReset>
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
              defaultValue={submitted?.address ?? prefilled?.address ?? ""}
            />
            <div className={styles.pair}>
              <TextField
                label="Amount"
                name="amount"
                inputMode="decimal"
                autoComplete="off"
                maxLength={30}
                required
                defaultValue={submitted?.amount ?? prefilled?.amount ?? "1000"}
              />
              <Select
                label="Coin"
                name="asset"
                defaultValue={submitted?.asset ?? "USDT"}
                options={[
                  { value: "USDT", label: "USDT" },
                  { value: "ETH", label: "ETH" },
                ]}
              />
            </div>
            <Button
              kind={prefilled && !done ? "primary" : "secondary"}
              full
              name="intent"
              value="faucet"
              pending={pending && "Waiting for a block…"}
            >
              Send test coins
            </Button>
          </Stack>
        </Form>
      </Stack>
    </Card>
  );
}
