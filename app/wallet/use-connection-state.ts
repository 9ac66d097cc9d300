import { useIsMutating } from "@tanstack/react-query";
import { useConnection } from "wagmi";
import type { ConnectionState } from "./connection-labels";

/**
 * The state of the wallet connection. wagmi also reports "connecting" while it looks for a wallet that is already
 * connected to this site, which does not ask the owner for anything.
 */
export function useConnectionState(): ConnectionState {
  const { status } = useConnection();
  const isAsking = useIsMutating({ mutationKey: ["connect"] }) > 0;
  return status === "connecting" && !isAsking ? "disconnected" : status;
}
