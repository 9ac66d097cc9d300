import { type RefObject, useEffect, useRef } from "react";

/** Focuses the first invalid field of a form after a submission. */
export function useErrorFocus(result: unknown): RefObject<HTMLFormElement> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (result) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [result]);
  return form;
}
