import { useEffect, useRef, useState } from "react";
import { useLocale } from "~/components/locale/use-locale";
import { formatAmount, parseAmount } from "~/lib/money";
import { formatExactly } from "~/lib/shown-amount";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { Note } from "~/ui/note";
import { FaucetError, requestFromFaucet } from "./faucet";

type Props = {
  address: string;
  /** The amount to pay, as a decimal string. The faucet sends at least that. */
  amount: string;
  onFunded(): void;
};

const usualAmount = parseAmount("1000", "USDT");
/** The faucet's default limit per request. */
const maxAmount = parseAmount("10000", "USDT");

/**
 * Replaces the pay button while the test wallet holds too little. Sends it test USDT at once: 1,000, or as much as the
 * swap needs. The button tries again if that fails.
 */
export default function TestFunds({ address, amount, onFunded }: Props) {
  const [state, setState] = useState<"idle" | "loading" | "done">("idle");
  const [error, setError] = useState<string | null>(null);
  const { numbers } = useLocale();
  const faucetAmount = toFaucetAmount(amount);
  const label = formatExactly(faucetAmount, numbers);

  async function load() {
    setState("loading");
    setError(null);
    try {
      await requestFromFaucet({ address, asset: "USDT", amount: faucetAmount }, window.location.origin);
      setState("done");
      onFunded();
    } catch (thrown) {
      setState("idle");
      setError(
        thrown instanceof FaucetError ? thrown.message : "The faucet didn't send anything. Try again in a moment.",
      );
    }
  }

  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    void load();
  });

  return (
    <Stack gap={3}>
      <Note tone="waiting">This account holds less than {formatExactly(amount, numbers)} USDT.</Note>
      <Button
        type="button"
        kind="primary"
        size="large"
        full
        pending={state === "loading" && "Sending test USDT…"}
        onClick={() => void load()}
      >
        {`Get ${label} test USDT`}
      </Button>
      <LiveRegion>{state === "done" ? `${label} test USDT arrived.` : ""}</LiveRegion>
      {error ? (
        <Note tone="danger" live>
          {error}
        </Note>
      ) : null}
    </Stack>
  );
}

function toFaucetAmount(amount: string): string {
  const needed = parseAmount(amount, "USDT");
  if (needed > maxAmount) return formatAmount(maxAmount, "USDT");
  if (needed > usualAmount) return amount;
  return formatAmount(usualAmount, "USDT");
}
