import { useRef } from "react";
import type { Direction } from "~/lib/assets";
import type { TypedAmounts } from "./use-typed-amounts";

/**
 * Returns the announcement of the amounts for a live region. It changes when the visitor types, but not with each new
 * rate.
 * @param receive the amount to receive, empty if there is none
 */
export function useAnnouncement({ side, texts }: TypedAmounts, { source, target }: Direction, receive: string): string {
  const announced = useRef({ typed: "", text: "" });
  const typed = `${side} ${texts[side]}`;
  if (receive === "" || announced.current.text === "" || announced.current.typed !== typed) {
    announced.current = { typed, text: receive && `${texts.source} ${source} gives about ${receive} ${target}` };
  }
  return announced.current.text;
}
