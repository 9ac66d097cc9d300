import type { Logger } from "pino";
import { BaseError, ContractFunctionRevertedError, createPublicClient } from "viem";
import type { EnsName } from "../../api/contract";
import { ExchangeError } from "../errors";
import { createRpcTransport, getHttpStatus } from "../rpc-transport";

export type FindEnsAddress = (name: string) => Promise<EnsName>;

type Options = { rpcUrl: string; log: Logger; timeoutMs?: number };

/** Longer than any name in use; ENSIP-15 sets no limit. */
const maxNameLength = 255;

/**
 * Looks up names of the Ethereum Name Service on mainnet, in the form that ENSIP-15 gives them. Only what is stored on
 * Ethereum counts: a resolver that refers to a web server (CCIP-read) is not followed, because otherwise any customer
 * could make this server send requests.
 */
export function createEnsLookup({ rpcUrl, log, timeoutMs = 4_000 }: Options): FindEnsAddress {
  /** viem/chains consists of 700 modules, which would slow down every start. */
  async function connect() {
    const { mainnet } = await import("viem/chains");
    const transport = createRpcTransport(rpcUrl, { timeout: timeoutMs, retryCount: 0 });
    const client = createPublicClient({ chain: mainnet, transport, ccipRead: false });
    if ((await client.getChainId()) === mainnet.id) return client;
    throw new Error("ENS_RPC_URL is not a node of Ethereum mainnet.");
  }
  let connected: ReturnType<typeof connect> | undefined;

  return async (text) => {
    const name = await toNormalName(text);
    let address: string | null;
    try {
      connected ??= connect();
      address = await (await connected).getEnsAddress({ name });
    } catch (error) {
      if (isOffchain(error)) {
        throw refuse(
          `The address of ${name} is not stored on Ethereum itself. Enter the address, which starts with 0x.`,
        );
      }
      connected = undefined;
      log.warn({ error: toReason(error) }, "a name could not be looked up");
      throw new ExchangeError("names_unavailable", { retryAfterSeconds: 30, cause: error });
    }
    if (address === null) throw refuse(`${name} has no Ethereum address. Check the name, or enter the address.`);
    return { name, address };
  };
}

/** The tables of ENSIP-15 are large, so they are loaded with the first name. */
async function toNormalName(text: string): Promise<string> {
  const { normalize } = await import("viem/ens");
  const message = "This is not a valid ENS name. Check it, or enter the address, which starts with 0x.";
  if (text.length > maxNameLength || !/^[^\s.](?:.*[^.])?\.eth$/iu.test(text)) throw refuse(message);
  try {
    return normalize(text);
  } catch (cause) {
    throw refuse(message, cause);
  }
}

/** Leaves out viem's details, because they contain the name, which may identify a person. */
function toReason(error: unknown): string {
  if (!(error instanceof BaseError)) return error instanceof Error ? error.name : "unknown";
  const status = getHttpStatus(error);
  return status ? `HTTP ${status}` : error.name;
}

/** EIP-3668: the resolver reverts with the URLs that the caller should query. */
function isOffchain(error: unknown): boolean {
  const reverted =
    error instanceof BaseError ? error.walk((cause) => cause instanceof ContractFunctionRevertedError) : null;
  if (!(reverted instanceof ContractFunctionRevertedError)) return false;
  return reverted.data?.errorName === "OffchainLookup" || reverted.signature === offchainLookup;
}

const offchainLookup = "0x556f1830";

function refuse(message: string, cause?: unknown): ExchangeError {
  return new ExchangeError("address_invalid", { message, ...(cause !== undefined && { cause }) });
}
