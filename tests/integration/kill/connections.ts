import type { EthereumGatewayOptions } from "../../../app/exchange.server/chains/ethereum/gateway";
import type { SandboxEthereum } from "../../../app/sandbox.server/ethereum/start";
import type { SandboxMobilecoin } from "../../../app/sandbox.server/mobilecoin/start";

/** What a process needs to work on the test's database and chains, as JSON. */
export type Connections = {
  databaseUrl: string;
  ethereum: Pick<EthereumGatewayOptions, "rpcUrls" | "chainId" | "usdtAddress" | "xpub" | "payoutPrivateKey">;
  mobilecoin: { url: string; accountId: string; expectedChainId: string };
};

export function toConnections(
  databaseUrl: string,
  ethereum: SandboxEthereum,
  mobilecoin: SandboxMobilecoin,
): Connections {
  const { rpcUrl, chainId, usdtAddress, xpub, payoutPrivateKey } = ethereum;
  return {
    databaseUrl,
    ethereum: { rpcUrls: [rpcUrl], chainId, usdtAddress, xpub, payoutPrivateKey },
    mobilecoin: { url: mobilecoin.url, accountId: mobilecoin.accountId, expectedChainId: mobilecoin.chainId },
  };
}
