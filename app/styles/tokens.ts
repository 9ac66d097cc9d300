/** Multiples of 4 px: 1 to 3 within a group, 5 to 8 between groups. */
export const space = {
  1: "4px",
  2: "8px",
  3: "12px",
  4: "16px",
  5: "20px",
  6: "24px",
  8: "32px",
  16: "64px",
} as const;

export const radius = { card: "28px", field: "20px", button: "18px", note: "14px", small: "10px", full: "999px" };

/** 14, 16, 18, 22, 36 and 64 px; the two display sizes scale with the window. */
export const fontSize = {
  small: "0.875rem",
  body: "1rem",
  lede: "1.125rem",
  heading: "1.375rem",
  title: "clamp(1.75rem, 1.3rem + 1.9vw, 2.25rem)",
  hero: "clamp(2.125rem, 1.2rem + 4.3vw, 4rem)",
  /** Fixed, so that fields can scale down long amounts (ui/fit.css.ts). */
  amount: "2.25rem",
} as const;

export const lineHeight = { display: "1.05", heading: "1.2", reading: "1.5" };

export const fontFamily = {
  display: '"Young Serif", "Young Serif Fallback", Georgia, serif',
  text: '"Figtree", "Figtree Fallback", system-ui, sans-serif',
  code: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
};

export const fontWeight = { regular: "400", medium: "500", strong: "600", heavy: "700" };

/** Transitions. The reset disables them for people who prefer reduced motion. */
export const motion = { quick: "150ms cubic-bezier(.2,.7,.3,1)", calm: "250ms cubic-bezier(.2,.7,.3,1)" };

export const media = {
  phone: "(max-width: 699px)",
  /**
   * A device held in the hand, whose camera can't scan its own screen: a phone, or a touch screen of a tablet's width.
   */
  handheld: "(max-width: 699px), (pointer: coarse) and (max-width: 1099px)",
  /** Wide enough for two columns. */
  wide: "(min-width: 900px)",
  /** A mouse or a touchpad. */
  hover: "(hover: hover)",
  still: "(prefers-reduced-motion: reduce)",
  /** Shows outlines and borders, but no shadows, and only system colours. */
  forcedColors: "(forced-colors: active)",
};

/** The minimum height of buttons and links. */
export const target = "44px";
/** The maximum width of the page's content. */
export const pageWidth = "1120px";
