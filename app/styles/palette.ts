/*
 * The colours of the light theme (day) and the dark theme (night). They are plain values, so that the contrast test,
 * the document's theme-color and the icons can use them too.
 */

/** Separate from the palettes, so that the theme-color meta tags don't pull them into the browser bundle. */
export const overhead = { day: "#fbf5ea", night: "#0f1220" };

export const day = {
  /** The page background, a sky from top to bottom. */
  ground: overhead.day,
  skyMid: "#f6e2c4",
  skyLow: "#efc79b",
  hillFar: "#e3b184",
  /** The top of the ridge below the price chart's line. */
  ridge: "#e3b184",
  hillNear: "#cf9465",
  raised: "#fffdf9",
  sunken: "#f5ecdd",
  ink: "#2b1c12",
  muted: "#685441",
  /** Decorative lines only: too faint to mark a control. */
  line: "#e6d8c3",
  /** The edge of a control that its text or icon already identifies. */
  outline: "#cbb697",
  /** The edge of an input: at least 3:1 against its background. */
  edge: "#937c62",
  accent: "#ab3f18",
  accentStrong: "#8c3110",
  onAccent: "#fff8f1",
  accentSoft: "#f8e3d6",
  good: "#33603a",
  goodSoft: "#e3eeda",
  waiting: "#7d5200",
  waitingSoft: "#fbecc9",
  danger: "#a3182c",
  dangerSoft: "#fbe3e1",
  onDanger: "#fff6f5",
  coinUsdt: "#1f7a66",
  coinMob: "#33475b",
  onCoin: "#ffffff",
  /** Stars in the header; invisible in the light theme. */
  star: "transparent",
  shadow: "0 24px 60px -28px rgb(96 52 20 / .45), 0 2px 6px rgb(96 52 20 / .06)",
};

export type Palette = typeof day;

export const night: Palette = {
  ground: overhead.night,
  skyMid: "#1d1930",
  skyLow: "#452a3a",
  hillFar: "#241a2c",
  ridge: "#4a2b38",
  hillNear: "#171221",
  raised: "#1b1d2b",
  sunken: "#141623",
  ink: "#f4ece2",
  muted: "#b1aec0",
  line: "#2f3145",
  outline: "#4a4d68",
  edge: "#74768f",
  accent: "#f49a63",
  accentStrong: "#ffb184",
  onAccent: "#25110a",
  accentSoft: "#3a2620",
  good: "#93cf9a",
  goodSoft: "#1f3b2b",
  waiting: "#efc567",
  waitingSoft: "#443511",
  danger: "#ff9d97",
  dangerSoft: "#3b1b22",
  onDanger: "#2b0a0d",
  coinUsdt: "#24806c",
  coinMob: "#4a617a",
  onCoin: "#ffffff",
  star: "rgb(244 236 226 / .5)",
  shadow: "0 30px 70px -30px #05060c, 0 2px 8px rgb(5 6 12 / .35)",
};

/** QR codes are dark on light in both themes, as cameras expect. */
export const qr = { paper: "#ffffff", ink: "#1c120b" };
