import { numberToHex, SwitchChainError, UnsupportedProviderMethodError } from "viem";
import { type CreateConnectorFn, createConnector } from "wagmi";
import { relayTimeoutMs } from "~/lib/constants";
import { WalletCheckError } from "../error-kinds";
import type { WalletConnectClient } from "./client";
import { WalletLink } from "./link";
import { type Pairing, pairingMessage, walletConnectType } from "./pairing";

type Request = { method: string; params?: unknown };
type Provider = { request(request: Request): Promise<unknown> };

/** What is stored about a session, so that we know whether there is one without loading the client. */
type Stored = { topic: string; chainId: number };
type Entries = { walletConnect: Stored };

/**
 * wagmi's connector for wallets that connect through a relay. A session covers several chains, and every request names
 * its chain, so this connector chooses the chain itself: the wallet's own choice changes nothing here.
 */
export function walletConnect(load: () => Promise<WalletConnectClient>, timeoutMs = relayTimeoutMs): CreateConnectorFn {
  return createConnector<Provider, Record<string, unknown>, Entries>(({ chains, emitter, storage }) => {
    let chainId = 0;
    const link = new WalletLink(
      load,
      { changed: () => void choose(chainId).catch(leave), ended: () => void leave() },
      timeoutMs,
    );
    const show = (pairing: Pairing | null) => emitter.emit("message", { type: pairingMessage, data: pairing });

    async function clearSession() {
      link.end();
      await storage?.removeItem("walletConnect");
    }

    async function leave() {
      await clearSession();
      emitter.emit("disconnect");
    }

    /** Uses the given chain if the wallet has approved it, otherwise the first one that it has. */
    async function choose(wanted: number): Promise<{ accounts: readonly `0x${string}`[]; chainId: number }> {
      const approved = link.chainIds;
      const [first] = approved;
      if (first === undefined || link.topic === null) {
        await clearSession();
        throw new WalletCheckError("unauthorized");
      }
      chainId = approved.includes(wanted) ? wanted : first;
      const accounts = link.accountsOn(chainId);
      await storage?.setItem("walletConnect", { topic: link.topic, chainId });
      emitter.emit("change", { accounts, chainId });
      return { accounts, chainId };
    }

    /** Continues the stored session. Null if there is none, or if the wallet has ended it. */
    async function restore(): Promise<Stored | null> {
      const stored = (await storage?.getItem("walletConnect")) ?? null;
      if (stored === null || stored.topic === link.topic) return stored;
      if (await link.restore(stored.topic)) return stored;
      await clearSession();
      return null;
    }

    const provider: Provider = {
      async request({ method, params }) {
        if (method === "eth_chainId") return numberToHex(chainId);
        if (method === "eth_accounts") return link.accountsOn(chainId);
        if (method === "eth_sendTransaction") return link.request(method, params, chainId);
        throw new UnsupportedProviderMethodError(new Error(`${method} is not sent to the wallet.`));
      },
    };

    return {
      id: walletConnectType,
      name: "WalletConnect",
      type: walletConnectType,
      async connect({ chainId: wanted, isReconnecting, withCapabilities } = {}) {
        const stored = await restore();
        if (!stored && isReconnecting) throw new WalletCheckError("disconnected");
        if (!stored)
          await link.pair(
            chains.map(({ id }) => id),
            show,
          );
        const chosen = await choose(wanted ?? stored?.chainId ?? chainId);
        const accounts = withCapabilities
          ? chosen.accounts.map((address) => ({ address, capabilities: {} }))
          : chosen.accounts;
        // wagmi's type depends on `withCapabilities`.
        return { accounts: accounts as never, chainId: chosen.chainId };
      },
      disconnect: clearSession,
      getAccounts: async () => link.accountsOn(chainId),
      getChainId: async () => chainId,
      getProvider: async () => provider,
      /** Must not throw: wagmi would stop reconnecting to other wallets. */
      isAuthorized: () =>
        restore().then(
          (stored) => stored !== null,
          () => false,
        ),
      async switchChain({ chainId: wanted }) {
        const chain = chains.find(({ id }) => id === wanted);
        if (!chain || !link.chainIds.includes(wanted)) {
          throw new SwitchChainError(new Error("The wallet has not approved this chain for the session."));
        }
        await choose(wanted);
        return chain;
      },
      // Changes are reported by the session, not by these EIP-1193 events.
      onAccountsChanged: () => undefined,
      onChainChanged: () => undefined,
      onDisconnect: () => undefined,
    };
  });
}
