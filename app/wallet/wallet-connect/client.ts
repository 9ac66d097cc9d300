import { SignClient } from "@walletconnect/sign-client";
import { minuteMs } from "~/lib/durations";
import type { WalletConnectSettings } from "../chains";
import { refusedEvent } from "./pairing";
import { toClientStorage } from "./store";

export type WalletConnectClient = InstanceType<typeof SignClient>;

/**
 * Opens WalletConnect's client. A page needs only one. Import this file only on demand, because it is over 100 kB.
 * The client contacts no server other than the relay: telemetry is off, and so is Reown's iframe, in which it would
 * prove this page's origin to the wallet (the content security policy blocks both).
 */
export async function openClient(
  { projectId, relayUrl }: WalletConnectSettings,
  origin: string,
  storage: Storage | null,
): Promise<WalletConnectClient> {
  const client = await SignClient.init({
    projectId,
    relayUrl,
    metadata: {
      name: "Antelope",
      description: "Swap USDT and MOB",
      url: origin,
      icons: [new URL("/icon-192.png", origin).href],
    },
    storage: toClientStorage(storage),
    logger: "silent",
    telemetryEnabled: false,
  });
  client.core.verify.register = async () => undefined;
  publishWithoutDetails(client);
  stopWhenRefused(client);
  endSessionsOnce(client);
  expireFirst(client);
  return client;
}

/** Keeps the client from telling the relay the chain, the method and the token's address, unencrypted. */
function publishWithoutDetails({ core: { relayer } }: WalletConnectClient): void {
  const publish = relayer.publish.bind(relayer);
  relayer.publish = (topic, message, { tvf: _, ...options } = {}) => publish(topic, message, options);
}

/**
 * A relay that does not know the project ID closes every connection, and the client would keep reconnecting
 * immediately. The client calls `confirmOnlineStateOrThrow` before each attempt.
 */
function stopWhenRefused({ core: { relayer } }: WalletConnectClient): void {
  relayer.on(refusedEvent, () => {
    relayer.confirmOnlineStateOrThrow = () => Promise.reject(new Error("The relay refused the connection."));
  });
}

type Listener = (response: { error?: unknown }) => void;

/** A part of the client's engine that its published types lack. */
type SessionEngine = {
  /** Emits the wallet's responses. */
  events: { once(event: string, listener: Listener): unknown };
  deleteSession(params: { topic: string }): Promise<void>;
  processRequest(request: { topic: string }): Promise<void>;
  checkRecentlyDeleted(topic: string): void;
};

/**
 * Lets the page and the wallet end a session at the same time. Otherwise, the client would throw in an event listener,
 * where nothing can catch the error. That happens when it deletes the session a second time, and when it processes a
 * message that arrived before the session was deleted.
 */
export function endSessionsOnce({ engine, session }: WalletConnectClient): void {
  const typed = engine as unknown as SessionEngine;
  const { deleteSession, processRequest } = typed;
  typed.deleteSession = async (params) => {
    if (session.keys.includes(params.topic)) await deleteSession(params);
  };
  typed.processRequest = async (request) => {
    // Throws if the session was deleted; the client's queue logs the error and continues.
    typed.checkRecentlyDeleted(request.topic);
    await processRequest(request);
  };
}

/** How long the client waits for a response from the wallet. */
const responseMs = 5 * minuteMs;

/**
 * Ends the wait for a response one second before the client does, because the client would also reject a promise of its
 * own, whose error nothing can catch. The listener stays: the client throws if a late response has none.
 */
function expireFirst({ engine }: WalletConnectClient): void {
  const { events } = engine as unknown as SessionEngine;
  const once = events.once.bind(events);
  events.once = (event, listener) => {
    const error = new Error(event.startsWith("session_connect") ? "Proposal expired" : "Request expired");
    const timer = setTimeout(() => listener({ error }), responseMs - 1_000);
    return once(event, (response) => {
      clearTimeout(timer);
      listener(response);
    });
  };
}
