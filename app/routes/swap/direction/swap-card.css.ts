import { style } from "@vanilla-extract/css";
import * as rules from "~/components/price/submit-bar";

export const card = style(rules.cardWithBar);
export const bar = style(rules.submitBar);
rules.keepClear(bar, "9rem");
export const receive = style(rules.receive);
export const amount = style(rules.receivedAmount);
export const submit = style(rules.submit);
