import { Form } from "@remix-run/react";
import type { CurrencyOptions } from "~/currency/currency.server";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { Select } from "~/ui/select";
import * as styles from "../doger.css";

/** In which currency this browser shows what amounts are worth. */
export function CurrencyCard({ options: { choice, usual, currencies } }: { options: CurrencyOptions }) {
  return (
    <Card id="currency" aria-labelledby="currency-title">
      {/* Every page knows the currency since it was loaded. */}
      <Form method="post" action={paths.doger} reloadDocument>
        <Stack gap={4}>
          <h3 className={text.heading} id="currency-title">
            Currency
          </h3>
          <Select
            label="Show what amounts are worth in"
            name="currency"
            defaultValue={choice ?? ""}
            options={[
              { value: "", label: `${usual}, the usual one for your language` },
              { value: "none", label: "No currency" },
              ...currencies.map(({ code, name }) => ({ value: code, label: `${name} (${code})` })),
            ]}
          />
          <p className={styles.note}>
            Values with a ≈ are rough and only give you an idea. Swaps are priced and paid in USDT and MOB. We remember
            your choice in this browser.
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
