import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { day, night } from "~/styles/palette";

it("the page for refused requests has the colours of both palettes", () => {
  const sheet = readFileSync("public/refusal.css", "utf8");
  const themes = [...sheet.matchAll(/:root \{([^}]*)\}/g)].map(([, rules = ""]) =>
    [...rules.matchAll(/--([a-z-]+): ([^;]+);/g)].map(([, name = "", value]) => [toRole(name), value]),
  );
  const roles = ["ground", "skyMid", "skyLow", "ink", "accent", "onAccent"] as const;
  expect(themes).toEqual([day, night].map((palette) => roles.map((role) => [role, palette[role]])));
});

const toRole = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
