import { channelName, signedOut } from "./tabs";

/**
 * Calls the listener when the visitor signs out, in this tab or another: unlike the channel of tabs.ts, this channel
 * also receives messages from its own page. Returns a function that unsubscribes, or null if the browser refuses a
 * channel.
 */
export function onAnySignOut(listener: () => void): (() => void) | null {
  try {
    const channel = new BroadcastChannel(channelName);
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data === signedOut) listener();
    };
    return () => channel.close();
  } catch {
    return null;
  }
}
