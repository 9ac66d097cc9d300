/** S10: the four states of a wallet, in words. */
export const connectionStates = ["disconnected", "connecting", "reconnecting", "connected"] as const;
export type ConnectionState = (typeof connectionStates)[number];

export const connectionWords: Record<ConnectionState, { badge: string; spoken: string }> = {
  disconnected: { badge: "Disconnected", spoken: "No wallet is connected." },
  connecting: { badge: "Connecting", spoken: "Waiting for the wallet: confirm the connection there." },
  reconnecting: { badge: "Reconnecting", spoken: "Finding the wallet you used last." },
  connected: { badge: "Connected", spoken: "The wallet is connected." },
};

/** 0x3C44…93BC: for a glance; the full address stands where money depends on it. */
export function toShortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
