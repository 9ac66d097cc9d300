import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { type Config, WagmiContext, WagmiProvider } from "wagmi";
import { useHasSandbox, useRootData } from "~/loaded-data/root-data";
import { useRouteContext } from "~/loaded-data/route-context";
import { onDemand } from "~/ui/on-demand";
import type { WalletRpc } from "./chains";
import { getWalletConfig } from "./config";

type Props = { rpc: WalletRpc; children: ReactNode };

/**
 * Provides wagmi to one part of a page. In the sandbox, the test wallet (a separate chunk, never loaded
 * in live mode) is announced first, so that wagmi can reconnect to it after a reload.
 */
export function WalletProvider({ rpc, children }: Props) {
  const hasSandbox = useHasSandbox();
  const { loadQueryClient } = useRouteContext();
  const faucetMax = useRootData()?.faucetMax?.ETH;
  // The settings of the server stay the same while the page is open.
  const [Providers] = useState(() =>
    onDemand(() => loadProviders({ rpc, hasSandbox, faucetMax, loadQueryClient }), "Looking for wallets…"),
  );
  useEffect(reloadFailedStyles, []);
  return <Providers>{children}</Providers>;
}

type Settings = {
  rpc: WalletRpc;
  hasSandbox: boolean;
  faucetMax: string | undefined;
  loadQueryClient: () => Promise<QueryClient>;
};

async function loadProviders({ rpc, hasSandbox, faucetMax, loadQueryClient }: Settings) {
  // If the test wallet fails to load, other wallets still work.
  if (hasSandbox) await loadTestWallet(faucetMax).catch(() => undefined);
  const [queryClient, config] = await Promise.all([loadQueryClient(), getWalletConfig(rpc, hasSandbox)]);
  // biome-ignore lint/correctness/noComponentHookFactories: loaded once for each WalletProvider
  const Providers = ({ children }: { children: ReactNode }) => (
    <ConfigProvider config={config}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </ConfigProvider>
  );
  return { default: Providers };
}

/** The configurations for which wagmi has found the wallets and reconnected. */
const started = new WeakSet<Config>();

/** Whenever a WagmiProvider is mounted, it lists each wallet once more, so each configuration gets only one. */
function ConfigProvider({ config, children }: { config: Config; children: ReactNode }) {
  const [isFirst] = useState(() => !started.has(config));
  useEffect(() => void started.add(config), [config]);
  if (isFirst) return <WagmiProvider config={config}>{children}</WagmiProvider>;
  return <WagmiContext.Provider value={config}>{children}</WagmiContext.Provider>;
}

/**
 * If the wallet's code could not be loaded at first, its style sheet may be missing: Vite requests one only once, with
 * a link that has `crossorigin`.
 */
function reloadFailedStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet][crossorigin]")) {
    if (link.sheet === null) link.replaceWith(link.cloneNode());
  }
}

async function loadTestWallet(faucetMax: string | undefined): Promise<void> {
  const { announceTestWallet } = await import("./test-wallet/announce");
  announceTestWallet(faucetMax);
}
