import type { Page } from "@playwright/test";
import { inEachAppearance } from "../e2e/support/appearances";
import { sceneGroups } from "../e2e/support/scenes/all-scenes";
import { test } from "../e2e/support/scenes/test";
import { toFileName, toPath } from "./files";

test.describe.configure({ mode: "parallel" });

for (const group of sceneGroups) {
  test(group.name, async ({ openStage }) => {
    test.setTimeout(120_000 + group.scenes.length * 20_000);
    await group.visitAll(await openStage(group), photograph);
  });
}

async function photograph(page: Page, scene: string): Promise<void> {
  await inEachAppearance(page, async (appearance) => {
    await page.screenshot({ path: toPath(toFileName(scene, appearance)), fullPage: true, animations: "disabled" });
  });
}
