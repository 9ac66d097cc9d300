import { type RefObject, useEffect, useRef } from "react";

/** For a form: once an answer names wrong fields, the first of them is where the next key press belongs. */
export function useFirstError(result: unknown): RefObject<HTMLFormElement> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (result) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [result]);
  return form;
}
