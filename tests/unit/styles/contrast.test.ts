import { describe, expect, it } from "vitest";
import { day, night, type Palette, qr } from "~/styles/palette";
import { contrast, luminance } from "../../support/contrast";

type Role = Exclude<keyof Palette, "shadow" | "star">;

/** Text colours and the surfaces they appear on. 4.5 meets AA for text of any size. */
const textPairs: Record<string, { on: Role[]; ink: Role[] }> = {
  "body text": {
    ink: ["ink", "muted"],
    on: ["ground", "skyMid", "skyLow", "raised", "sunken", "accentSoft", "goodSoft", "waitingSoft", "dangerSoft"],
  },
  "the footer and the focus in it": { ink: ["ink"], on: ["hillNear", "hillFar"] },
  "links and accents": { ink: ["accent", "accentStrong"], on: ["ground", "skyMid", "raised", "sunken", "accentSoft"] },
  "links below a card": { ink: ["accentStrong"], on: ["skyLow"] },
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
