/** An Ethereum mainnet of our own, with names. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createTestClient, type Hex, http, namehash, publicActions, walletActions } from "viem";
import { mainnet } from "viem/chains";
import { findAnvil } from "~/sandbox.server/ethereum/anvil-binary";
import { compileContract } from "~/sandbox.server/ethereum/compile";
import { freePort } from "./raw-http";

const source = fileURLToPath(new URL("./EnsNames.sol", import.meta.url));
const universalResolver = mainnet.contracts.ensUniversalResolver.address;

export type EnsChain = Awaited<ReturnType<typeof startEnsChain>>;

/** Starts anvil with mainnet's chain id, or another, and a resolver at the address of the Universal Resolver. */
export async function startEnsChain({ chainId = mainnet.id as number } = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const anvil = spawn(findAnvil(null), ["--port", String(port), "--chain-id", String(chainId), "--quiet"], {
    stdio: "ignore",
  });
  const ended = once(anvil, "exit");
  const client = createTestClient({ mode: "anvil", chain: { ...mainnet, id: chainId }, transport: http(url) })
    .extend(publicActions)
    .extend(walletActions);
  try {
    await waitForChain(() => client.getChainId());
    const [account] = await client.getAddresses();
    if (!account) throw new Error("anvil has no account");
    const { abi, bytecode } = compileContract(readFileSync(source, "utf8"), "EnsNames");
    const deployed = await client.waitForTransactionReceipt({
      hash: await client.deployContract({ abi, bytecode, account }),
    });
    const code = await client.getCode({ address: deployed.contractAddress as Hex });
    await client.setCode({ address: universalResolver, bytecode: code as Hex });
    const write = async (functionName: string, name: string, value: string) => {
      const args = [namehash(name), value];
      const hash = await client.writeContract({ address: universalResolver, abi, functionName, args, account });
      await client.waitForTransactionReceipt({ hash });
    };
    return {
      url,
      setOwner: (name: string, owner: string) => write("setOwner", name, owner),
      setGateway: (name: string, gateway: string) => write("setGateway", name, gateway),
      async stop() {
        anvil.kill("SIGKILL");
        await ended;
      },
    };
  } catch (error) {
    anvil.kill("SIGKILL");
    throw error;
  }
}

async function waitForChain(call: () => Promise<unknown>): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; ) {
    try {
      await call();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
