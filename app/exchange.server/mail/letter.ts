/** A paragraph; digits to type; names with their values; or what is listed. */
export type Part = string | { digits: string } | { facts: [name: string, value: string][] } | { list: string[] };

/** What a mail says, before it is text or HTML. Everything in it is plain text. */
export type Letter = {
  to: string;
  subject: string;
  title: string;
  /** What an inbox shows beside the subject. */
  preview: string;
  parts: Part[];
  /** What to do if it was not you: no mail goes without. */
  notYou: string;
  /** C04: for tests and the sandbox's inbox; null in every other mail. */
  code?: string;
};

export const signature = {
  from: "Antelope",
  promise:
    "We never ask for a code, a passkey or secret words, by mail or message. There is no link in this mail on purpose: open Antelope the way you always do.",
};
