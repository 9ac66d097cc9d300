import { type RefObject, useEffect, useRef, useState } from "react";

type Details = Record<string, string>;

/** Details that were typed and not sent, of the account with this address. In memory only, and not for long. */
let kept: { email: string; details: Details } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const keptMs = 10 * 60_000;

function keep(email: string, form: HTMLFormElement): void {
  const details: Details = {};
  for (const [name, value] of new FormData(form)) if (typeof value === "string") details[name] = value;
  kept = { email, details };
  clearTimeout(timer);
  timer = setTimeout(forget, keptMs);
}

function forget(): void {
  kept = undefined;
}

/**
 * Keeps what the customer has typed while they look at another page of the site, for ten minutes and for the same
 * account. It is personal, so it is stored nowhere: before a page without React, a reload or closing the tab, the browser
 * asks whether to leave.
 *
 * @param result of the last submission, which was refused
 */
export function useUnsentDetails(email: string, form: RefObject<HTMLFormElement>, result: object | undefined) {
  // Only at first: the fields are filled in once.
  const [details] = useState(() => (kept?.email === email ? kept.details : undefined));
  const isUnsent = useRef(details !== undefined);
  useEffect(() => {
    if (result) isUnsent.current = true;
  }, [result]);
  useEffect(() => {
    const filledIn = form.current;
    forget();
    function warn(event: BeforeUnloadEvent) {
      if (isUnsent.current) event.preventDefault();
    }
    window.addEventListener("beforeunload", warn);
    return () => {
      window.removeEventListener("beforeunload", warn);
      if (filledIn && isUnsent.current) keep(email, filledIn);
    };
  }, [email, form]);
  return {
    details,
    onInput() {
      isUnsent.current = true;
    },
    onSubmit() {
      isUnsent.current = false;
    },
  };
}
