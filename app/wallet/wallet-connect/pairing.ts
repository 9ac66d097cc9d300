/** Distinguishes wallets that connect through a relay from wallets in this browser. */
export const walletConnectType = "walletConnect";

/** A wallet that is about to be connected. */
export type Pairing = {
  /** What the wallet scans or opens: `wc:…`, with the key of the conversation. Null until the relay has it. */
  uri: string | null;
  cancel(): void;
};

/** The connector's message when a pairing begins, gets its URI, or ends (null). */
export const pairingMessage = "pairing";

/** What the client's relayer emits when the relay does not accept the project ID. */
export const refusedEvent = "relayer_error";
