/** T12: notifies the other tabs of this browser when the session ends. Only the server decides who is signed in. */
const channelName = "antelope.session";
const signedOut = "signed-out";

/**
 * One channel per page, because a second one in the same page would receive its own messages. Undefined if the browser
 * refuses one, as Firefox does when it blocks all cookies.
 */
let channel: BroadcastChannel | undefined;
function openChannel(): BroadcastChannel | undefined {
  try {
    channel ??= new BroadcastChannel(channelName);
  } catch {}
  return channel;
}

/** Notifies the other tabs of this browser that the session has ended. */
export function notifySignedOut(): void {
  openChannel()?.postMessage(signedOut);
}

/** Calls the listener when the session has ended in another tab. Returns a function that unsubscribes. */
export function onSignedOut(listener: () => void): () => void {
  const opened = openChannel();
  const onMessage = ({ data }: MessageEvent<unknown>) => {
    if (data === signedOut) listener();
  };
  opened?.addEventListener("message", onMessage);
  return () => opened?.removeEventListener("message", onMessage);
}
