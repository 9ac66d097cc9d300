import { welcomeSteps } from "~/lib/constants";

/** The nine steps by name, in their order (K08). */
export const stepTitles = [
  "What a swap is",
  "The two coins",
  "What Signal is",
  "Turn on payments in Signal",
  "Where your MOB address is",
  "Why we ask who you are",
  "A quote and a lock",
  "Late, or not the right amount",
  "How to get help",
] as const;

/** R04: one of "1" … "9", else null. */
export function parseStep(text: string | undefined): number | null {
  if (text === undefined || !/^[1-9]$/.test(text)) return null;
  const step = Number(text);
  return step <= welcomeSteps ? step : null;
}
