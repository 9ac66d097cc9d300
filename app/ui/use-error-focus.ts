import { type RefObject, useEffect, useRef } from "react";

const invalidField = "[aria-invalid=true]:not(fieldset), fieldset[aria-invalid=true] input";

/** Focuses the first invalid field of a form after a submission: in a group of radio buttons, the first of them. */
export function useErrorFocus(result: unknown): RefObject<HTMLFormElement> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (result) form.current?.querySelector<HTMLElement>(invalidField)?.focus();
  }, [result]);
  return form;
}
