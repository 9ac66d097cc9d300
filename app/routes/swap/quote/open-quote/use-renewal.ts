import { useNavigation, useSubmit } from "@remix-run/react";
import { type RefObject, startTransition, useEffect, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { useVisible } from "~/browser/use-visible";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { useOnline } from "../use-online";

/** How often a price is renewed without any activity, so that a page left open stops requesting prices. */
const maxIdleRenewals = 10;

/**
 * Submits the form with the intent `renew`, once for each expired price, while the page is visible and online.
 * @returns whether the price is being renewed; if not, the visitor has to request a new one
 */
export function useRenewal(form: RefObject<HTMLFormElement>, { id, isOver }: { id: number; isOver: boolean }): boolean {
  const hydrated = useHydrated();
  const isOnline = useOnline();
  const isVisible = useVisible();
  const submit = useSubmit();
  const navigation = useNavigation();
  const isSending = useIsSending();
  /** The price that was renewed last, and how many have been without any activity. */
  const [renewed, setRenewed] = useState({ id: 0, idle: 0 });
  useEffect(() => {
    const reset = () => setRenewed((last) => (last.idle === 0 ? last : { ...last, idle: 0 }));
    const events = ["pointerdown", "keydown"] as const;
    for (const event of events) window.addEventListener(event, reset);
    return () => {
      for (const event of events) window.removeEventListener(event, reset);
    };
  }, []);

  const isPossible = hydrated && isOver && isOnline && isVisible;
  const isAllowed = isPossible && renewed.id !== id && renewed.idle < maxIdleRenewals;
  const isIdle = navigation.state === "idle";
  useEffect(() => {
    if (!isAllowed || !isIdle || !form.current) return;
    // In one transition with the router's update. Otherwise the price would look expired for a moment.
    startTransition(() => setRenewed(({ idle }) => ({ id, idle: idle + 1 })));
    const fields = new FormData(form.current);
    fields.set("intent", "renew");
    // A lost request needs no message (query-cache/cached-loader.ts): the page says that the price has expired.
    fields.set("automatic", "");
    submit(fields, {
      method: "post",
      action: form.current.getAttribute("action") ?? undefined,
      replace: true,
      preventScrollReset: true,
    });
  }, [isAllowed, isIdle, id, form, submit]);
  return isAllowed || (isOver && isSending({ intent: "renew" }));
}
