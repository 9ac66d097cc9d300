import type { StyleRule } from "@vanilla-extract/css";
import { layers } from "./layers.css";

type Rule = Omit<StyleRule, "@layer">;

/** Each puts a rule, with its media queries and selectors, into one cascade layer. */
export const inReset = (rule: Rule): StyleRule => ({ "@layer": { [layers.reset]: rule } });
export const inTokens = (rule: Rule): StyleRule => ({ "@layer": { [layers.tokens]: rule } });
export const inUi = (rule: Rule): StyleRule => ({ "@layer": { [layers.ui]: rule } });
export const inComponents = (rule: Rule): StyleRule => ({ "@layer": { [layers.components]: rule } });
export const inRoutes = (rule: Rule): StyleRule => ({ "@layer": { [layers.routes]: rule } });
