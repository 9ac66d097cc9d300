/** T12: notifies the other tabs of this browser of sign-ins and sign-outs. Only the server decides who is signed in. */
export const channelName = "antelope.session";
export const signedOut = "signed-out";

/**
 * One channel per page, because a second channel in the same page would receive the first one's messages (see
 * on-any-sign-out.ts). Undefined if the browser refuses one, as Firefox does when it blocks all cookies.
 */
let channel: BroadcastChannel | undefined;
function openChannel(): BroadcastChannel | undefined {
  try {
    channel ??= new BroadcastChannel(channelName);
  } catch {}
  return channel;
}

/** Tells the other tabs of this browser whether this one is signed in. */
export function notifyTabs(isSignedIn: boolean): void {
  openChannel()?.postMessage(isSignedIn ? "signed-in" : signedOut);
}

/** Calls the listener with whether another tab is signed in. Returns a function that unsubscribes. */
export function onOtherTab(listener: (isSignedIn: boolean) => void): () => void {
  const opened = openChannel();
  const onMessage = ({ data }: MessageEvent<unknown>) => listener(data !== signedOut);
  opened?.addEventListener("message", onMessage);
  return () => opened?.removeEventListener("message", onMessage);
}
