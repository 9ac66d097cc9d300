import type { Mail } from "../context";
import { toHtml } from "./html";
import type { Letter } from "./letter";
import { toText } from "./text";

/** Both halves of a mail say the same: a reader of either misses nothing. */
export function compose(letter: Letter): Mail {
  const { to, subject, code = null } = letter;
  return { to, subject, text: toText(letter), html: toHtml(letter), code };
}
