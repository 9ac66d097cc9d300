import { useState } from "react";
import { Button } from "~/ui/button";
import { FocusKeeper } from "~/ui/focus-keeper";
import { NeedsScripts } from "~/ui/needs-scripts";
import { onDemand } from "~/ui/on-demand";
import type { WalletRpc } from "~/wallet/chains";

const WalletAddressButton = onDemand(() => import("~/wallet/wallet-address-button"), "Opening the wallet…");

type Props = { onAddress(address: string): void; rpc: WalletRpc };

/** Fills in an Ethereum address from a wallet in this browser. The wallet code is loaded when the button is pressed. */
export function AddressFromWallet(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <FocusKeeper label="Your wallet's address">
      {open ? (
        <WalletAddressButton {...props} />
      ) : (
        <NeedsScripts>
          <Button type="button" size="small" onClick={() => setOpen(true)}>
            Use my wallet's address
          </Button>
        </NeedsScripts>
      )}
    </FocusKeeper>
  );
}
