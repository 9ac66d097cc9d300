import { fallbackVar, globalStyle } from "@vanilla-extract/css";
import { coveredByBar } from "./covered.css";
import { inReset } from "./layered";
import { color } from "./theme.css";
import { fontFamily, fontSize, fontWeight, lineHeight, media } from "./tokens";

globalStyle("*, ::before, ::after", inReset({ boxSizing: "border-box", margin: 0, padding: 0 }));
globalStyle(
  "html",
  inReset({
    WebkitTextSizeAdjust: "100%",
    textSizeAdjust: "100%",
    background: color.ground,
    scrollPaddingTop: 24,
    scrollPaddingBottom: fallbackVar(coveredByBar, "0px"),
  }),
);
globalStyle(
  "body",
  inReset({
    font: `${fontWeight.regular} ${fontSize.body}/${lineHeight.reading} ${fontFamily.text}`,
    fontVariantNumeric: "tabular-nums",
    fontSynthesis: "none",
    color: color.ink,
    minHeight: "100vh",
    overflowWrap: "break-word",
    WebkitFontSmoothing: "antialiased",
  }),
);
globalStyle(
  "h1, h2, h3",
  inReset({
    font: `400 ${fontSize.heading}/${lineHeight.heading} ${fontFamily.display}`,
    letterSpacing: "-.01em",
    textWrap: "balance",
  }),
);
globalStyle("p, li", inReset({ textWrap: "pretty" }));
globalStyle("ul, ol", inReset({ listStyle: "none" }));
globalStyle("li, tr", inReset({ "@media": { print: { breakInside: "avoid" } } }));
globalStyle("svg, img, canvas", inReset({ display: "block", maxWidth: "100%" }));
globalStyle(
  "button, input, select, textarea",
  inReset({ font: "inherit", color: "inherit", letterSpacing: "inherit" }),
);
globalStyle("button, summary, select, label[for], [type=checkbox], [type=radio]", inReset({ cursor: "pointer" }));
globalStyle("button", inReset({ background: "none", border: 0 }));
globalStyle(":disabled", inReset({ cursor: "not-allowed" }));
globalStyle("table", inReset({ borderCollapse: "collapse", width: "100%" }));
globalStyle("fieldset", inReset({ border: 0, minWidth: 0 }));
globalStyle("summary", inReset({ listStyle: "none" }));
globalStyle("summary::-webkit-details-marker", inReset({ display: "none" }));
globalStyle("a", inReset({ color: color.accent, textUnderlineOffset: "3px" }));
globalStyle("code", inReset({ fontFamily: fontFamily.code, fontSize: ".94em" }));
globalStyle("[hidden]", inReset({ display: "none !important" }));
globalStyle(":focus-visible", inReset({ outline: `3px solid ${color.accent}`, outlineOffset: "2px" }));
globalStyle("main:focus, h1:focus, h2:focus, h3:focus", inReset({ outline: "none" }));
// Visible on every surface: one click selects a whole address, and visitors can see how much is selected.
globalStyle("::selection", inReset({ background: color.accent, color: color.onAccent }));
globalStyle(
  "*, ::before, ::after",
  inReset({
    "@media": {
      [media.still]: {
        animationDuration: ".01ms !important",
        animationIterationCount: "1 !important",
        // Not .01ms: each change would start transitions of all elements, level by level.
        transitionDuration: "0s !important",
        scrollBehavior: "auto !important" as "auto",
      },
    },
  }),
);
