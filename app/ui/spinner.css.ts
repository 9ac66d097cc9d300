import { keyframes, style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { media, space } from "~/styles/tokens";

const lean = (degrees: number) => ({ transform: `rotate(${degrees}deg)` });
const leanLeft = keyframes({ "0%, 100%": lean(-4), "50%": lean(-26) });
const leanRight = keyframes({ "0%, 100%": lean(4), "50%": lean(26) });

export const spinner = style(inUi({ display: "inline-flex", alignItems: "center", gap: space[2] }));
export const horns = style(inUi({ flex: "none", width: "1.25em", height: "1.25em", overflow: "visible" }));

const horn = { transformOrigin: "12px 22px", animation: "1.1s cubic-bezier(.45,.05,.55,.95) infinite" };
const still = { "@media": { [media.still]: { animation: "none" } } };
export const left = style(inUi({ ...horn, animationName: leanLeft, ...still }));
export const right = style(inUi({ ...horn, animationName: leanRight, ...still }));
