/** T12: what one tab tells the others. The exchange decides who is signed in; this only says "ask again". */
const channelName = "antelope.session";
const signedOut = "signed-out";

/** One for the whole page: a channel is not told what it said itself, another of the same page would be. */
let channel: BroadcastChannel | null = null;
function openChannel(): BroadcastChannel | null {
  if (typeof BroadcastChannel === "undefined") return null;
  channel ??= new BroadcastChannel(channelName);
  return channel;
}

/** Tells the other tabs of this browser that this one signed out. */
export function tellSignedOut(): void {
  openChannel()?.postMessage(signedOut);
}

/** Calls back when another tab signed out; answers how to stop listening. */
export function onSignedOut(listener: () => void): () => void {
  const opened = openChannel();
  const hear = ({ data }: MessageEvent<unknown>) => {
    if (data === signedOut) listener();
  };
  opened?.addEventListener("message", hear);
  return () => opened?.removeEventListener("message", hear);
}
