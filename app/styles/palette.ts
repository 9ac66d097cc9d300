/*
 * Two times of the same place, each composed for itself. Plain values, so that the contrast test,
 * the theme-color of the document and the icons read what the stylesheet reads.
 */

/** The sky overhead, apart from the rest, so that the document's theme-color costs the browser no palette. */
export const overhead = { day: "#fbf5ea", night: "#0f1220" };

export const day = {
  /** The sky, from overhead to the horizon. */
  ground: overhead.day,
  skyMid: "#f6e2c4",
  skyLow: "#efc79b",
  hillFar: "#e3b184",
  hillNear: "#cf9465",
  raised: "#fffdf9",
  sunken: "#f5ecdd",
  ink: "#2b1c12",
  muted: "#685441",
  /** Decoration; never the only thing that shows a control. */
  line: "#e6d8c3",
  /** The edge of a button or a choice, whose words or mark already show it. */
  outline: "#cbb697",
  /** The edge of a control: 3:1 against what it stands on. */
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
  /** A few stars overhead; none by day. */
  star: "transparent",
  shadow: "0 24px 60px -28px rgb(96 52 20 / .45), 0 2px 6px rgb(96 52 20 / .06)",
};

export type Palette = typeof day;

export const night: Palette = {
  ground: overhead.night,
  skyMid: "#1d1930",
  skyLow: "#452a3a",
  hillFar: "#241a2c",
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
  goodSoft: "#17291f",
  waiting: "#efc567",
  waitingSoft: "#322810",
  danger: "#ff9d97",
  dangerSoft: "#3b1b22",
  onDanger: "#2b0a0d",
  coinUsdt: "#24806c",
  coinMob: "#4a617a",
  onCoin: "#ffffff",
  star: "rgb(244 236 226 / .5)",
  shadow: "0 30px 70px -30px #05060c, 0 2px 8px rgb(5 6 12 / .35)",
};

/** A code is scanned by cameras that expect dark on light, by night too. */
export const qr = { paper: "#ffffff", ink: "#1c120b" };
