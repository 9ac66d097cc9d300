import type { ReactNode } from "react";
import { useLocale } from "~/components/locale/use-locale";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import { Timeline } from "~/ui/timeline";
import { visuallyHidden } from "~/ui/visually-hidden.css";
import * as styles from "../quote.css";
import { useOrderView } from "./order-view";
import { toTimelineSteps } from "./timeline-steps";

/** What has happened and what comes next, beside what to do now. @param children the order's details */
export function OrderAside({ children }: { children: ReactNode }) {
  const { order, page, situation } = useOrderView();
  const { numbers } = useLocale();
  const steps = toTimelineSteps(order, {
    deliveryName: page.deliveryName,
    requiredConfirmations: page.rates.confirmations[order.source_asset_symbol],
    style: numbers,
    ...situation,
  });
  return (
    <Card as="aside" roomy className={styles.aside} aria-labelledby="progress">
      <Stack gap={6}>
        <h2 id="progress" className={visuallyHidden}>
          Progress
        </h2>
        <Timeline label="Progress of this swap" steps={steps} />
        {children}
      </Stack>
    </Card>
  );
}
