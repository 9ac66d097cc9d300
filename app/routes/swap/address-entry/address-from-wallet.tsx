import { lazy, Suspense, useState } from "react";
import { Button } from "~/ui/button";
import { FocusKeeper } from "~/ui/focus-keeper";
import { NeedsScripts } from "~/ui/needs-scripts";
import { Spinner } from "~/ui/spinner";
import type { WalletRpc } from "~/wallet/chains";

const WalletAddressButton = lazy(() => import("~/wallet/wallet-address-button"));

type Props = { onAddress(address: string): void; rpc: WalletRpc; sandbox: boolean; size?: "small" };

/** Fills in an Ethereum address from a wallet in this browser. The wallet code is loaded when the button is pressed. */
export function AddressFromWallet({ size, ...props }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <FocusKeeper label="Your wallet's address">
      {open ? (
        <Suspense fallback={<Spinner>Opening the wallet…</Spinner>}>
          <WalletAddressButton {...props} />
        </Suspense>
      ) : (
        <NeedsScripts>
          <Button type="button" size={size} onClick={() => setOpen(true)}>
            Use my wallet's address
          </Button>
        </NeedsScripts>
      )}
    </FocusKeeper>
  );
}
