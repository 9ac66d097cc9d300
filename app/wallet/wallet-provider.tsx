import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { type Config, WagmiProvider } from "wagmi";
import { useRouteContext } from "~/browser/route-context";
import { Spinner } from "~/ui/spinner";
import type { WalletRpc } from "./chains";
import { getWalletConfig } from "./config";

type Props = { rpc: WalletRpc; sandbox: boolean; children: ReactNode };

/**
 * Provides wagmi to one part of a page. In the sandbox, the test wallet (a separate chunk, never loaded
 * in live mode) is announced first, so that wagmi can reconnect to it after a reload.
 */
export function WalletProvider({ rpc, sandbox, children }: Props) {
  // Settings of the server, which stay the same while the page is open. Their object changes when data is loaded again.
  const [settings] = useState(rpc);
  const { loadQueryClient } = useRouteContext();
  const [loaded, setLoaded] = useState<{ config: Config; queryClient: QueryClient } | null>(null);

  useEffect(reloadFailedStyles, []);

  useEffect(() => {
    let isUnmounted = false;
    async function load() {
      // If the test wallet fails to load, other wallets still work.
      if (sandbox) await loadTestWallet().catch(() => undefined);
      const [queryClient, config] = await Promise.all([loadQueryClient(), getWalletConfig(settings, sandbox)]);
      if (!isUnmounted) setLoaded({ config, queryClient });
    }
    // If a chunk fails to load while the browser is online, the page reloads (E17).
    load().catch(() => undefined);
    return () => {
      isUnmounted = true;
    };
  }, [settings, sandbox, loadQueryClient]);

  if (!loaded) return <Spinner>Looking for wallets…</Spinner>;
  return (
    <WagmiProvider config={loaded.config}>
      <QueryClientProvider client={loaded.queryClient}>{children}</QueryClientProvider>
    </WagmiProvider>
  );
}

/**
 * If the wallet's code could not be loaded at first, its style sheet may be missing: Vite requests one only once, with a
 * link that has `crossorigin`.
 */
function reloadFailedStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet][crossorigin]")) {
    if (link.sheet === null) link.replaceWith(link.cloneNode());
  }
}

async function loadTestWallet(): Promise<void> {
  const { announceTestWallet } = await import("./test-wallet/announce");
  announceTestWallet();
}
