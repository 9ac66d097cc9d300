import { Form } from "@remix-run/react";
import type { CurrencyOptions } from "~/currency/currency.server";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { Select } from "~/ui/select";
import * as styles from "../doger.css";
import { ResultNote } from "./result-note";

type Props = {
  options: CurrencyOptions;
  /** Whether the page was loaded because the form was sent. */
  isSaved: boolean;
};

/** Lets the visitor choose the currency for approximate values in this browser. */
export function CurrencyCard({ options: { choice, usual, currencies }, isSaved }: Props) {
  return (
    <Card aria-labelledby="currency">
      {/* Reloads, because the root loader's data contains the currency. */}
      <Form method="post" action={paths.doger} reloadDocument>
        <Stack gap={4}>
          {/* The browser moves the focus here, because the action redirects to the fragment. */}
          <h3 className={`${text.heading} ${styles.namedHeading}`} id="currency" tabIndex={-1}>
            Currency
          </h3>
          <ResultNote result={isSaved ? { kind: "done", text: "Saved." } : null} />
          <Select
            label="Show approximate values in"
            name="currency"
            defaultValue={choice ?? ""}
            options={[
              { value: "", label: `${usual} (default)` },
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
