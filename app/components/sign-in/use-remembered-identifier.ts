import { type RefObject, useEffect } from "react";
import { readStoredPasskey } from "~/browser/stored-passkey";

/** Fills an empty field with the identifier last used with a passkey in this browser. */
export function useRememberedIdentifier(field: RefObject<HTMLInputElement>): void {
  useEffect(() => {
    const stored = readStoredPasskey();
    if (stored && field.current && field.current.value === "") field.current.value = stored;
  }, [field]);
}
