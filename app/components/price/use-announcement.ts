import { useRef } from "react";
import type { Direction } from "~/lib/assets";
import type { TypedAmounts } from "./use-typed-amounts";

/**
 * What a screen reader announces about the amounts, for a live region. It changes when the visitor types, not with
 * every new rate.
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
