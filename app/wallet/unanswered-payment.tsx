import type { WalletErrorMessage } from "./error-messages";
import { PayAgain } from "./pay-again";

type Props = {
  /** What the wallet reported, if that was on this page. */
  error: WalletErrorMessage | null;
  onPayAgain(): void;
};

/**
 * A payment that a wallet was asked for, without a clear response. It can be made again once it is certain that it
 * wasn't sent.
 */
export function UnansweredPayment({ error, onPayAgain }: Props) {
  const reported = error?.mayHaveSent ? error : null;
  return (
    <PayAgain
      tone="waiting"
      title={reported?.title ?? "The wallet may have sent this payment already"}
      live
      onPayAgain={onPayAgain}
    >
      {reported ? <p>{reported.money}</p> : null}
      <p>
        Look at your wallet's transaction history. If it doesn't list this payment, and the wallet isn't asking you to
        confirm it, you can pay again. Otherwise, wait: don't pay twice.
      </p>
    </PayAgain>
  );
}
