import { Link } from "@remix-run/react";
import { useState } from "react";
import type { PriceAlert } from "~/api/contract";
import { DateTime } from "~/components/locale/date-time";
import { useLocale } from "~/components/locale/use-locale";
import { toRefused } from "~/lib/form-result";
import { formatDecimalText } from "~/lib/number-style";
import { paths } from "~/lib/paths";
import { formatRate } from "~/lib/shown-amount";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { PlainList } from "~/ui/plain-list";
import { RadioCards } from "~/ui/radio-cards";
import { TextField } from "~/ui/text-field";
import { useErrorFocus } from "~/ui/use-error-focus";
import { VisuallyHidden } from "~/ui/visually-hidden";
import type { PriceAlertResult } from "../action.server";
import * as styles from "../doger.css";
import { AccountForm } from "./account-form";
import { ResultNote } from "./result-note";

type Props = {
  /** USDT for 1 MOB; null while no rate is available. */
  rate: string | null;
  alerts: readonly PriceAlert[];
  /** Whether the account's e-mail address is confirmed. */
  emailVerified: boolean;
  result: PriceAlertResult | undefined;
};

/** The account's price alerts, each with a button to remove it, and a form for another. */
export function PriceAlertsCard({ rate, alerts, emailVerified, result }: Props) {
  const { numbers } = useLocale();
  const isSending = useIsSending();
  const form = useErrorFocus(result);
  // Each new alert clears the field.
  const added = result?.kind === "done" ? result.added : undefined;
  const [lastAdded, setLastAdded] = useState(added);
  if (added && added !== lastAdded) setLastAdded(added);
  const refused = toRefused(result);
  return (
    <Card id="price-alerts" aria-labelledby="price-alerts-title">
      <Stack gap={4}>
        <h3 className={text.heading} id="price-alerts-title">
          Price alerts
        </h3>
        <ResultNote result={result} />
        <p className={styles.note}>
          {emailVerified ? (
            "We tell you once when MOB passes the price you set, by e-mail and in browsers where you have turned on notifications."
          ) : (
            <>
              To set a price alert, <Link to={paths.kyc()}>confirm your e-mail address</Link> first.
            </>
          )}
        </p>
        {alerts.length === 0 ? null : (
          <PlainList className={styles.rows}>
            {alerts.map((alert) => (
              <AlertRow key={alert.id} alert={alert} isRemoving={isSending({ intent: "remove-alert", id: alert.id })} />
            ))}
          </PlainList>
        )}
        {emailVerified ? (
          <AccountForm noValidate ref={form}>
            <input type="hidden" name="intent" value="add-alert" />
            <Stack gap={3}>
              {/* Not a button for each: pressing Enter in the field would always use the first one. */}
              <RadioCards
                label="Tell me when 1 MOB costs"
                name="direction"
                options={[
                  { value: "above", label: "More than this price" },
                  { value: "below", label: "Less than this price" },
                ]}
                defaultValue={refused?.values?.direction ?? "above"}
              />
              <TextField
                key={lastAdded}
                // Returns the focus to the cleared field (use-route-focus.ts).
                id="alert-rate"
                label="Price in USDT"
                name="rate"
                inputMode="decimal"
                autoComplete="off"
                maxLength={32}
                defaultValue={refused?.values?.rate}
                hint={rate === null ? undefined : `1 MOB costs ${formatRate(rate, numbers)} USDT now.`}
                error={refused?.fields?.rate}
              />
              <Row>
                <Button pending={isSending({ intent: "add-alert" }) && "Setting the alert…"}>Set price alert</Button>
              </Row>
            </Stack>
          </AccountForm>
        ) : null}
      </Stack>
    </Card>
  );
}

function AlertRow({ alert, isRemoving }: { alert: PriceAlert; isRemoving: boolean }) {
  const { numbers } = useLocale();
  const name = `1 MOB costs ${alert.direction === "above" ? "more" : "less"} than ${formatDecimalText(alert.rate, numbers)} USDT`;
  return (
    <li className={styles.row}>
      <div className={styles.withButton}>
        <Stack gap={1}>
          <p className={styles.name}>{name}</p>
          <p className={styles.note}>
            Set on <DateTime at={alert.created_at} />
          </p>
        </Stack>
        <AccountForm>
          <input type="hidden" name="id" value={alert.id} />
          <Button size="small" name="intent" value="remove-alert" pending={isRemoving && "Removing…"}>
            Remove<VisuallyHidden> the alert: {name}</VisuallyHidden>
          </Button>
        </AccountForm>
      </div>
    </li>
  );
}
