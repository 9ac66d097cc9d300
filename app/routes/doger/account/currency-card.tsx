import { Form } from "@remix-run/react";
import type { CurrencyOptions } from "~/currency/currency.server";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { Select } from "~/ui/select";
import * as styles from "../doger.css";

/** Lets the visitor choose the currency for approximate values in this browser. */
export function CurrencyCard({ options: { choice, usual, currencies } }: { options: CurrencyOptions }) {
  return (
    <Card id="currency" aria-labelledby="currency-title">
      {/* Reloads, because the root loader's data contains the currency. */}
      <Form method="post" action={paths.doger} reloadDocument>
        <Stack gap={4}>
          <h3 className={text.heading} id="currency-title">
            Currency
          </h3>
          <Select
            label="Show approximate values in"
            name="currency"
            defaultValue={choice ?? ""}
            options={[
              { value: "", label: `${usual} (default for your language)` },
              { value: "none", label: "Don't show values" },
              ...currencies.map(({ code, name }) => ({ value: code, label: `${name} (${code})` })),
            ]}
          />
          <p className={styles.note}>
            Values marked with ≈ are approximate. Swaps are always priced and paid in USDT and MOB. Your choice is saved
            in this browser.
          </p>
          <Row>
            <Button name="intent" value="set-currency">
              Save
            </Button>
          </Row>
        </Stack>
      </Form>
    </Card>
  );
}
