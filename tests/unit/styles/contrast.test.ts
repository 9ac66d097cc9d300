import { describe, expect, it } from "vitest";
import { day, night, type Palette, qr } from "~/styles/palette";

type Role = Exclude<keyof Palette, "shadow" | "star">;

/** Relative luminance of #rrggbb, WCAG 2.2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Text colours and the surfaces they appear on. 4.5 meets AA for text of any size. */
const textPairs: Record<string, { on: Role[]; ink: Role[] }> = {
  "body text": {
    ink: ["ink", "muted"],
    on: ["ground", "skyMid", "skyLow", "raised", "sunken", "accentSoft", "goodSoft", "waitingSoft", "dangerSoft"],
  },
  "the footer and the focus in it": { ink: ["ink"], on: ["hillNear", "hillFar"] },
  "links and accents": { ink: ["accent", "accentStrong"], on: ["ground", "skyMid", "raised", "sunken", "accentSoft"] },
  "a primary button": { ink: ["onAccent"], on: ["accent", "accentStrong"] },
  "a danger button": { ink: ["onDanger"], on: ["danger"] },
  success: { ink: ["good"], on: ["goodSoft", "raised", "sunken"] },
  waiting: { ink: ["waiting"], on: ["waitingSoft", "raised", "sunken"] },
  danger: { ink: ["danger"], on: ["dangerSoft", "raised", "sunken", "ground"] },
  coins: { ink: ["onCoin"], on: ["coinUsdt", "coinMob"] },
};

const themes: [string, Palette][] = [
  ["day", day],
  ["night", night],
];

describe.each(themes)("the palette by %s", (_, palette) => {
  const pairs = Object.entries(textPairs).flatMap(([name, { ink, on }]) =>
    ink.flatMap((text) => on.map((surface) => [name, text, surface] as const)),
  );
  it.each(pairs)("%s: %s on %s reaches AA (4.5)", (_name, text, surface) => {
    expect(contrast(palette[text], palette[surface])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["raised", "sunken", "ground"] as const)("a control's edge reaches 3:1 on %s", (surface) => {
    expect(contrast(palette.edge, palette[surface])).toBeGreaterThanOrEqual(3);
    expect(contrast(palette.accent, palette[surface])).toBeGreaterThanOrEqual(3);
  });
});

describe("the QR code colours", () => {
  it("are dark on light", () => {
    expect(luminance(qr.paper)).toBeGreaterThan(luminance(qr.ink));
    expect(contrast(qr.ink, qr.paper)).toBeGreaterThanOrEqual(15);
  });
});
