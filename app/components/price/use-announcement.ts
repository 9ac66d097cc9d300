import { useState } from "react";
import type { Direction } from "~/lib/assets";
import type { TypedAmounts } from "./use-typed-amounts";

/**
 * Returns the announcement of the amounts for a live region. It changes when the visitor types, but not with each new
 * rate.
 * @param receive the amount to receive, empty if there is none
 */
export function useAnnouncement({ side, texts }: TypedAmounts, { source, target }: Direction, receive: string): string {
  const typed = `${side} ${texts[side]}`;
  const text = receive && `${texts.source} ${source} gives about ${receive} ${target}`;
  const [announced, setAnnounced] = useState({ typed, text });
  if (!text !== !announced.text || announced.typed !== typed) setAnnounced({ typed, text });
  return announced.text;
}
