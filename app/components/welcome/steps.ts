import { welcomeSteps } from "~/lib/constants";

/** The titles of the nine steps, in order (K08). */
export const stepTitles = [
  "What is a swap?",
  "USDT and MOB",
  "What is Signal?",
  "Turn on payments in Signal",
  "Find your MOB address",
  "Why we verify your identity",
  "Prices and locks",
  "Late or wrong payments",
  "Getting help",
] as const;

/** R04: the number for "1" to "9", otherwise null. */
export function parseStep(text: string | undefined): number | null {
  if (text === undefined || !/^[1-9]$/.test(text)) return null;
  const step = Number(text);
  return step <= welcomeSteps ? step : null;
}
