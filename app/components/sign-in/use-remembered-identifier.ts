import { useLocation } from "@remix-run/react";
import { type RefObject, useEffect } from "react";

/**
 * Fills an empty field with the address that was typed on the previous page, which passes it in the location's state.
 * @param readStored reads the address to use if none was typed on that page
 */
export function useRememberedIdentifier(field: RefObject<HTMLInputElement>, readStored?: () => string | null): void {
  // A redirect has a state of its own.
  const typed: unknown = useLocation().state;
  useEffect(() => {
    const known = typeof typed === "string" ? typed : readStored?.();
    if (known && field.current && field.current.value === "") field.current.value = known;
  }, [field, typed, readStored]);
}
