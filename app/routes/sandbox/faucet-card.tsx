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

/** USDT and ETH out of nothing. */
export function FaucetCard({ action, result, params }: Props) {
  const pending = useNavigation().formData?.get("intent") === "faucet";
  const kept = result?.intent === "faucet" ? result.values : null;
  const asked = params.asset === "USDT" ? params : null;
  const done = result?.intent === "faucet" && result.done !== null;
  return (
    <Card id="faucet" aria-labelledby="faucet-title">
      <Stack gap={4}>
        <h2 id="faucet-title" className={text.heading}>
          Faucet
        </h2>
        <p className={text.muted}>
          Test USDT, and ETH for the network's fee, to any Ethereum address. The test wallet on an order's page fills
          itself; this is for addresses of your own.
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
              defaultValue={kept?.address ?? asked?.address ?? ""}
            />
            <div className={styles.pair}>
              <TextField
                label="Amount"
                name="amount"
                inputMode="decimal"
                autoComplete="off"
                maxLength={30}
                required
                defaultValue={kept?.amount ?? asked?.amount ?? "1000"}
              />
              <Select
                label="Coin"
                name="asset"
                defaultValue={kept?.asset ?? "USDT"}
                options={[
                  { value: "USDT", label: "USDT" },
                  { value: "ETH", label: "ETH" },
                ]}
              />
            </div>
            <Button
              kind={asked && !done ? "primary" : "secondary"}
              full
              name="intent"
              value="faucet"
              pending={pending && "Waiting for a block…"}
            >
              Fill this address
            </Button>
          </Stack>
        </Form>
      </Stack>
    </Card>
  );
}
