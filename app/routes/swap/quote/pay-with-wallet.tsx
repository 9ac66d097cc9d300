import { useEffect, useState } from "react";
import type { FundingAddress } from "~/api/contract";
import { hasStoredWallet } from "~/browser/stored-wallet";
import { useHasSandbox } from "~/loaded-data/root-data";
import { Button } from "~/ui/button";
import { FocusKeeper } from "~/ui/focus-keeper";
import { NeedsScripts } from "~/ui/needs-scripts";
import { onDemand } from "~/ui/on-demand";
import type { WalletRpc } from "~/wallet/chains";
import { parseTransferUri } from "~/wallet/funding";
import { onStoredPayment, readStoredPayment } from "~/wallet/stored-payment";

const WalletPanel = onDemand(() => import("~/wallet/wallet-panel"), "Opening the wallet…");

type Props = {
  kind: "primary" | "secondary";
  className?: string | undefined;
  /** The exchange's funding address for a USDT deposit. Its URI names the token. */
  funding: FundingAddress;
  /** What is due now, as a decimal string. */
  amount: string;
  rpc: WalletRpc;
  requiredConfirmations: number;
  /** Called with whether this wallet has sent the payment. */
  onPaying(isPaying: boolean): void;
};

/**
 * Loads the wallet panel, and with it wagmi, when the button is pressed. Opens automatically if a wallet is connected,
 * and if this browser has already sent the payment, to follow it, or has asked a wallet for it. Without JavaScript it
 * is hidden.
 */
export function PayWithWallet({ kind, className, funding, amount, ...panel }: Props) {
  const [open, setOpen] = useState(false);
  const hasSandbox = useHasSandbox();
  const transfer = funding.asset_symbol === "USDT" ? parseTransferUri(funding.uri) : null;
  const { address, chain_id: chainId } = funding;
  useEffect(() => {
    const openIfUsed = () => {
      if (hasStoredWallet() || readStoredPayment({ chainId: Number(chainId), address, amount })) setOpen(true);
    };
    openIfUsed();
    return onStoredPayment(openIfUsed);
  }, [chainId, address, amount]);

  if (!transfer) return null;
  return (
    <FocusKeeper label="Pay with a wallet">
      {open ? (
        <WalletPanel funding={{ ...transfer, amount }} hasSandbox={hasSandbox} {...panel} />
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
