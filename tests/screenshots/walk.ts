import type { Page } from "@playwright/test";
import { inEachLook } from "../e2e/support/looks";
import { rooms } from "../e2e/support/scenes/rooms";
import { test } from "../e2e/support/scenes/test";
import { toFileName, toPath } from "./pictures";

test.describe.configure({ mode: "parallel" });

for (const room of rooms) {
  test(room.name, async ({ enterStage }) => {
    test.setTimeout(120_000 + room.scenes.length * 20_000);
    await room.walk(await enterStage(room), photograph);
  });
}

async function photograph(page: Page, scene: string): Promise<void> {
  await inEachLook(page, async (look) => {
    await page.screenshot({ path: toPath(toFileName(scene, look)), fullPage: true, animations: "disabled" });
  });
}
