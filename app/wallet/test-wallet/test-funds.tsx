import { useEffect, useRef, useState } from "react";
import { useLocale } from "~/components/locale/use-locale";
import { maxBigint, minBigint } from "~/lib/bigint";
import { formatAmount, parseAmount } from "~/lib/money";
import { formatExactly } from "~/lib/shown-amount";
import { useRootData } from "~/loaded-data/root-data";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { Note } from "~/ui/note";
import { FaucetError, requestFromFaucet } from "./faucet";

type Props = {
  address: string;
  /** The amount to pay, as a decimal string. */
  amount: string;
  onFunded(): void;
};

const usualAmount = parseAmount("1000", "USDT");

/**
 * Replaces the pay button while the test wallet holds too little. Sends it test USDT at once: 1,000, or as much as the
 * swap needs, but at most what the faucet gives at a time. The button asks again if that fails or is not enough.
 */
export default function TestFunds({ address, amount, onFunded }: Props) {
  const [state, setState] = useState<"idle" | "loading" | "done">("idle");
  const [error, setError] = useState<string | null>(null);
  const { numbers } = useLocale();
  const faucetAmount = toFaucetAmount(amount, useRootData()?.faucetMax?.USDT);
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

function toFaucetAmount(amount: string, faucetMax: string | undefined): string {
  const wanted = maxBigint(parseAmount(amount, "USDT"), usualAmount);
  const max = faucetMax === undefined ? wanted : parseAmount(faucetMax, "USDT");
  return formatAmount(minBigint(wanted, max), "USDT");
}
