import { useLocale } from "~/components/locale/use-locale";
import { toCalculatorForm } from "~/components/price/calculator-form";
import { PriceCalculator } from "~/components/price/price-calculator";
import * as styles from "~/components/price/price-calculator.css";
import { PauseNote } from "~/components/price/price-notes";
import { useLiveRates } from "~/components/price/use-live-rates";
import type { TypedState } from "~/components/price/use-typed-amounts";
import { type Calculation, toCalculatedPath, toCalculationKey } from "~/lib/calculation";
import { paths } from "~/lib/paths";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import type { loadPrice } from "./price.server";

type Props = NonNullable<Awaited<ReturnType<typeof loadPrice>>> & { typed: TypedState };

/**
 * Shows what a swap costs before the visitor has to sign in. Signing in keeps the amount. Without JavaScript,
 * "Continue" keeps it.
 */
export function LoginPrice({ calculation, pauseReason, ...calculator }: Props) {
  const { numbers } = useLocale();
  const rates = useLiveRates(calculator.rates);
  const form = toCalculatorForm(paths.login(), calculation.source);
  const pending = useIsSending()(form.fields) && "One moment…";
  return (
    <Stack gap={4}>
      <PauseNote reason={pauseReason} />
      <PriceCalculator
        key={toCalculationKey(calculation)}
        title="What you would get now"
        source={calculation.source}
        {...calculator}
        rates={rates}
        form={form}
        toPath={(other: Calculation) => paths.login({ redirect: toCalculatedPath(other, numbers) })}
      >
        <Button kind="primary" size="large" full className={styles.onPhone} pending={pending}>
          Continue
        </Button>
        <Button size="large" full className={styles.onWide} pending={pending}>
          Continue
        </Button>
      </PriceCalculator>
    </Stack>
  );
}
