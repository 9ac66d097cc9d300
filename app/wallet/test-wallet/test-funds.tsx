import { useState } from "react";
import { formatAmount, parseAmount } from "~/lib/money";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { Note } from "~/ui/note";
import { askFaucet, FaucetError } from "./faucet";

type Props = {
  address: string;
  /** What is to be paid, as a decimal string: the faucet gives at least that. */
  amount: string;
  onFunded(): void;
};

const usual = parseAmount("1000", "USDT");
/** The faucet's own limit for one call, by default. */
const most = parseAmount("10000", "USDT");

/** The sandbox's way to money: 1,000 test USDT a press, or as much as the swap needs. */
export default function TestFunds({ address, amount, onFunded }: Props) {
  const [state, setState] = useState<"idle" | "asking" | "done">("idle");
  const [refusal, setRefusal] = useState<string | null>(null);
  const given = toGift(amount);
  const shown = Number(given).toLocaleString("en", { maximumFractionDigits: 6 });

  async function ask() {
    setState("asking");
    setRefusal(null);
    try {
      await askFaucet({ address, asset: "USDT", amount: given }, window.location.origin);
      setState("done");
      onFunded();
    } catch (error) {
      setState("idle");
      setRefusal(error instanceof FaucetError ? error.message : "The faucet gave nothing. Try again in a moment.");
    }
  }

  return (
    <Stack gap={2}>
      <Button
        type="button"
        kind="primary"
        size="large"
        full
        pending={state === "asking" && "Filling your wallet…"}
        onClick={() => void ask()}
      >
        Get {shown} test USDT
      </Button>
      <LiveRegion>{state === "done" ? `${shown} test USDT have arrived.` : ""}</LiveRegion>
      {refusal ? (
        <Note tone="danger" live>
          {refusal}
        </Note>
      ) : null}
    </Stack>
  );
}

function toGift(amount: string): string {
  const needed = parseAmount(amount, "USDT");
  if (needed > most) return formatAmount(most, "USDT");
  if (needed > usual) return amount;
  return formatAmount(usual, "USDT");
}
