/** T12: what one tab tells the others. The exchange decides who is signed in; this only says "ask again". */
const channelName = "antelope.session";
type Message = "signed-out" | "signed-in";

/** Tells the other tabs of this browser. */
export function tellTabs(message: Message): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(message);
  channel.close();
}

/** Calls back when another tab signed in or out; answers how to stop listening. */
export function onTabMessage(listener: (message: Message) => void): () => void {
  if (typeof BroadcastChannel === "undefined") return () => undefined;
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = (event: MessageEvent<unknown>) => {
    if (event.data === "signed-out" || event.data === "signed-in") listener(event.data);
  };
  return () => channel.close();
}
