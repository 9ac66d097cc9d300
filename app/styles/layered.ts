import type { StyleRule } from "@vanilla-extract/css";
import { layers } from "./layers.css";

type Rule = Omit<StyleRule, "@layer">;

/** Each puts a whole rule (its media queries and selectors too) into one layer of the cascade. */
export const inReset = (rule: Rule): StyleRule => ({ "@layer": { [layers.reset]: rule } });
export const inTokens = (rule: Rule): StyleRule => ({ "@layer": { [layers.tokens]: rule } });
export const inUi = (rule: Rule): StyleRule => ({ "@layer": { [layers.ui]: rule } });
export const inComponents = (rule: Rule): StyleRule => ({ "@layer": { [layers.components]: rule } });
export const inRoutes = (rule: Rule): StyleRule => ({ "@layer": { [layers.routes]: rule } });
