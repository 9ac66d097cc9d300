import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { type Config, WagmiProvider } from "wagmi";
import { getQueryClient } from "~/session/query-client";
import { Spinner } from "~/ui/spinner";
import type { WalletRpc } from "./chains";
import { getWalletConfig } from "./config";

type Props = { rpc: WalletRpc; sandbox: boolean; children: ReactNode };

/**
 * wagmi for one part of a page. In the sandbox the test wallet (a chunk of its own, which live
 * mode never asks for) is announced first, so that a reload finds it when it connects again.
 */
export function WalletProvider({ rpc, sandbox, children }: Props) {
  const { mainnet, sepolia } = rpc;
  const [config, setConfig] = useState<Config | null>(null);
  useEffect(() => {
    let gone = false;
    const open = () => {
      if (!gone) setConfig(getWalletConfig({ mainnet, sepolia }, sandbox));
    };
    if (!sandbox) open();
    else {
      import("./test-wallet/announce")
        .then(({ announceTestWallet }) => announceTestWallet())
        // Without it other wallets still serve.
        .catch(() => undefined)
        .finally(open);
    }
    return () => {
      gone = true;
    };
  }, [mainnet, sepolia, sandbox]);

  if (!config) return <Spinner>Looking for wallets…</Spinner>;
  return (
    <WagmiProvider config={config}>
      <QueryClientProvider client={getQueryClient()}>{children}</QueryClientProvider>
    </WagmiProvider>
  );
}
