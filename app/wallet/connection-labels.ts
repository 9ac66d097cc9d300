/** S10: the four states of a wallet connection. */
export const connectionStates = ["disconnected", "connecting", "reconnecting", "connected"] as const;
export type ConnectionState = (typeof connectionStates)[number];

export const connectionLabels: Record<ConnectionState, { badge: string; spoken: string }> = {
  disconnected: { badge: "Disconnected", spoken: "No wallet is connected." },
  connecting: { badge: "Connecting", spoken: "Confirm the connection in your wallet." },
  reconnecting: { badge: "Reconnecting", spoken: "Reconnecting to the wallet you used last." },
  connected: { badge: "Connected", spoken: "Your wallet is connected." },
};
