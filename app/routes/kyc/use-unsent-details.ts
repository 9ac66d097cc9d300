import { useNavigation } from "@remix-run/react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { onAnySignOut } from "~/browser/on-any-sign-out";

type Details = Record<string, string>;

/**
 * Details that were typed but not sent, for the account with this address. They are kept only in memory, and only for a
 * short time.
 */
let kept: { email: string; details: Details; ignoreSignOut: () => void } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const keptMs = 10 * 60_000;

function keep(email: string, form: HTMLFormElement): void {
  discard();
  const ignoreSignOut = onAnySignOut(discard);
  // A sign-out would go unnoticed.
  if (!ignoreSignOut) return;
  const details: Details = {};
  for (const [name, value] of new FormData(form)) if (typeof value === "string") details[name] = value;
  kept = { email, details, ignoreSignOut };
  timer = setTimeout(discard, keptMs);
}

function discard(): void {
  kept?.ignoreSignOut();
  kept = undefined;
  clearTimeout(timer);
}

/**
 * Keeps what the customer has typed while they look at another page of the site, for ten minutes at most, until they
 * sign out, and for the same account. It is personal, so it is never stored: before a page without React, a reload or
 * closing the tab, the browser asks whether to leave.
 */
export function useUnsentDetails(email: string, form: RefObject<HTMLFormElement>) {
  // Only at first: the fields are filled in once.
  const [details] = useState(() => (kept?.email === email ? kept.details : undefined));
  const isTyped = useRef(details !== undefined);
  const isSending = useRef(false);
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    // If the form is still shown, it was refused or there was no response.
    if (isIdle) isSending.current = false;
  }, [isIdle]);
  useEffect(() => {
    const filledIn = form.current;
    const isUnsent = () => isTyped.current && !isSending.current;
    discard();
    function warn(event: BeforeUnloadEvent) {
      if (isUnsent()) event.preventDefault();
    }
    function leave() {
      // The visitor has been asked. If the page is restored, it is loaded again (browser/hydrate-page.tsx).
      isTyped.current = false;
    }
    window.addEventListener("beforeunload", warn);
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("beforeunload", warn);
      window.removeEventListener("pagehide", leave);
      if (filledIn && isUnsent()) keep(email, filledIn);
    };
  }, [email, form]);
  return {
    details,
    onInput() {
      isTyped.current = true;
    },
    onSubmit() {
      isTyped.current = true;
      isSending.current = true;
    },
  };
}
