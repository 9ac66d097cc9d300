import { type ComponentType, useEffect, useState } from "react";
import { Button } from "./button";
import { Note } from "./note";
import { Spinner } from "./spinner";

type Module<Props> = { default: ComponentType<Props> };

/**
 * A component whose code loads when it is first shown. If the code can't be loaded, a note with a button to try again
 * takes its place. With React's `lazy`, an error screen would replace the page, and everything typed on it would be lost.
 *
 * @param loadingText what to say while the code loads. Without it, nothing is shown.
 *
 * @example const WalletPanel = onDemand(() => import("~/wallet/wallet-panel"), "Opening the wallet…");
 */
export function onDemand<Props extends object>(load: () => Promise<Module<Props>>, loadingText?: string) {
  let Loaded: ComponentType<Props> | undefined;
  // biome-ignore lint/correctness/noComponentHookFactories: as with React.lazy, modules call this once, when they load, and components keep it in their state
  return function OnDemand(props: Props) {
    /** Undefined while the code loads. */
    const [hasFailed, setFailed] = useState<boolean>();
    useEffect(() => {
      if (hasFailed !== undefined) return;
      load()
        .then((module) => {
          Loaded = module.default;
          setFailed(false);
        })
        .catch(() => setFailed(true));
    }, [hasFailed]);
    if (Loaded) return <Loaded {...props} />;
    if (!hasFailed) return loadingText === undefined ? null : <Spinner>{loadingText}</Spinner>;
    const retry = (
      <Button type="button" size="small" onClick={() => setFailed(undefined)}>
        Try again
      </Button>
    );
    return (
      <Note tone="danger" live action={retry}>
        We couldn't load this. Check your connection.
      </Note>
    );
  };
}
