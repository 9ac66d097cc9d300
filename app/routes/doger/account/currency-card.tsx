import { Form } from "@remix-run/react";
import { useEffect, useRef } from "react";
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
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Loading a new document has lost the focus.
    if (isSaved) title.current?.focus();
  }, [isSaved]);
  return (
    <Card id="currency" aria-labelledby="currency-title">
      {/* Reloads, because the root loader's data contains the currency. */}
      <Form method="post" action={paths.doger} reloadDocument>
        <Stack gap={4}>
          <h3 className={text.heading} id="currency-title" tabIndex={-1} ref={title}>
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
