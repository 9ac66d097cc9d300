import { lazy, Suspense, useEffect, useState } from "react";
import type { FundingAddress } from "~/api/contract";
import { Button } from "~/ui/button";
import { NeedsScripts } from "~/ui/needs-scripts";
import { Spinner } from "~/ui/spinner";
import type { WalletRpc } from "~/wallet/chains";
import { parseTransferUri } from "~/wallet/funding";
import { readKeptPayment } from "~/wallet/kept-payment";

const WalletPanel = lazy(() => import("~/wallet/wallet-panel"));

type Props = {
  kind: "primary" | "secondary";
  /** As the exchange gave it for a USDT deposit; its URI names the token. */
  funding: FundingAddress;
  /** A decimal string, where only a part is still to be paid. */
  amount?: string;
  rpc: WalletRpc;
  sandbox: boolean;
  requiredConfirmations?: number;
  /** Told whether a payment from here is under way. */
  onPaying(isPaying: boolean): void;
};

/**
 * Opens the wallet panel at a press, so that wagmi is in no first page; and by itself where
 * this browser has sent the payment already, to follow it on. Without scripts there is nothing here.
 */
export function PayWithWallet({ kind, funding, amount = funding.amount, ...panel }: Props) {
  const [open, setOpen] = useState(false);
  const transfer = funding.asset_symbol === "USDT" ? parseTransferUri(funding.uri) : null;
  const { address, chain_id: chainId } = funding;
  useEffect(() => {
    if (readKeptPayment({ chainId: Number(chainId), address, amount })) setOpen(true);
  }, [chainId, address, amount]);

  if (!transfer) return null;
  if (!open) {
    return (
      <NeedsScripts>
        <Button type="button" kind={kind} size="large" full onClick={() => setOpen(true)}>
          Pay with a wallet
        </Button>
      </NeedsScripts>
    );
  }
  return (
    <Suspense fallback={<Spinner>Opening the wallet…</Spinner>}>
      <WalletPanel funding={{ ...transfer, amount }} {...panel} />
    </Suspense>
  );
}
