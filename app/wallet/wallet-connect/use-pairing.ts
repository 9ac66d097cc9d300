import { useEffect, useState } from "react";
import { type Connector, useConnectors } from "wagmi";
import { type Pairing, pairingMessage, walletConnectType } from "./pairing";

type Message = { type: string; data?: unknown };

/** The pairing that the visitor has begun. Leaving this part of the page cancels it. */
export function usePairing(): Pairing | null {
  const connector: Connector | undefined = useConnectors().find(({ type }) => type === walletConnectType);
  const [pairing, setPairing] = useState<Pairing | null>(null);
  useEffect(() => {
    if (!connector) return;
    let current: Pairing | null = null;
    const listen = ({ type, data }: Message) => {
      if (type !== pairingMessage) return;
      // Only our own connector sends this message.
      current = data as Pairing | null;
      setPairing(current);
    };
    connector.emitter.on("message", listen);
    return () => {
      connector.emitter.off("message", listen);
      current?.cancel();
    };
  }, [connector]);
  return pairing;
}
