import { useEffect, useState } from "react";
import { hasStoredWallet } from "~/browser/stored-wallet";
import { Button } from "~/ui/button";
import { FocusKeeper } from "~/ui/focus-keeper";
import { NeedsScripts } from "~/ui/needs-scripts";
import { onDemand } from "~/ui/on-demand";
import type { WalletRpc } from "~/wallet/chains";
import type { WalletFunding } from "~/wallet/funding";
import type { StoredPayment } from "~/wallet/stored-payment";

const WalletPanel = onDemand(() => import("~/wallet/wallet-panel"), "Opening the wallet…");

type Props = {
  kind: "primary" | "secondary";
  className?: string | undefined;
  funding: WalletFunding;
  /** A payment of this browser that the exchange has not seen yet. */
  underWay: StoredPayment | null;
  canPay: boolean;
  onPayAgain: (() => void) | undefined;
  rpc: WalletRpc;
  requiredConfirmations: number;
};

/**
 * Loads the wallet panel, and with it wagmi, when the button is pressed. Opens automatically if a wallet is connected,
 * and if a payment is under way. Without JavaScript it is hidden.
 */
export function PayWithWallet({ kind, className, ...panel }: Props) {
  const [open, setOpen] = useState(false);
  const isUnderWay = panel.underWay !== null;
  useEffect(() => {
    if (isUnderWay || hasStoredWallet()) setOpen(true);
  }, [isUnderWay]);

  return (
    <FocusKeeper label={isUnderWay || !panel.canPay ? "Your wallet" : "Pay with a wallet"}>
      {open ? (
        <WalletPanel {...panel} />
      ) : (
        <NeedsScripts>
          <Button type="button" kind={kind} className={className} size="large" full onClick={() => setOpen(true)}>
            Pay with a wallet
          </Button>
        </NeedsScripts>
      )}
    </FocusKeeper>
  );
}
