import { useLocale } from "~/components/locale/use-locale";
import { PriceCalculator } from "~/components/price/price-calculator";
import * as styles from "~/components/price/price-calculator.css";
import { PauseNote } from "~/components/price/price-notes";
import { useLiveRates } from "~/components/price/use-live-rates";
import { type Calculation, toCalculatedPath } from "~/lib/calculation";
import { paths } from "~/lib/paths";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import type { loadPrice } from "./price.server";

type Props = NonNullable<Awaited<ReturnType<typeof loadPrice>>> & { onAmount(text: string): void };

/**
 * Shows what a swap costs before the visitor has to sign in. Signing in keeps the amount. Without JavaScript,
 * "Continue" keeps it.
 */
export function LoginPrice({ calculation, pauseReason, ...calculator }: Props) {
  const { numbers } = useLocale();
  return (
    <Stack gap={4}>
      <PauseNote reason={pauseReason} />
      <PriceCalculator
        key={`${calculation.source} ${calculation.text}`}
        title="What you would get now"
        calculation={calculation}
        {...calculator}
        rates={useLiveRates(calculator.rates)}
        action={paths.login()}
        toPath={(other: Calculation) => paths.login({ redirect: toCalculatedPath(other, numbers) })}
      >
        <Button kind="primary" size="large" full className={styles.onPhone}>
          Continue
        </Button>
        <Button size="large" full className={styles.onWide}>
          Continue
        </Button>
      </PriceCalculator>
    </Stack>
  );
}
