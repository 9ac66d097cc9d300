/**
 * A scene is one screen in one state. A group is a list of scenes that share a site, a visitor and test
 * data. The axe test checks every scene in all-scenes.ts, and `npm run screenshots` photographs them.
 */
import type { BrowserContextOptions, Page } from "@playwright/test";
import { waitUntilReady } from "../appearances";
import type { Authenticator } from "../authenticator";
import type { PageErrors } from "../page-errors";
import type { Site, SiteEnv } from "../site";

export type Visitor = { page: Page; authenticator: Authenticator };

/** Where a group runs. */
export type Stage = {
  site: Site;
  /** The site's PostgreSQL, if the group needs one. */
  databaseUrl: string;
  pageErrors: PageErrors;
  /** Opens a separate browser for a visitor. */
  open(options?: BrowserContextOptions): Promise<Visitor>;
};

export type SceneGroup = {
  name: string;
  env: SiteEnv;
  postgres: boolean;
  /** The names of the scenes, in order. */
  scenes: readonly string[];
  visitAll(stage: Stage, visit: (page: Page, scene: string) => Promise<void>): Promise<void>;
};

type Definition<W extends { page: Page }> = {
  name: string;
  /** Settings of the site that differ from the defaults of the tests. */
  env?: SiteEnv;
  /** Operator commands need PostgreSQL. */
  postgres?: boolean;
  /** Errors that its pages report on purpose. */
  pageErrors?: readonly RegExp[];
  /** Opens the first page and creates the test data. */
  prepare(stage: Stage): Promise<W>;
  /** A scene may continue from where the previous one ended. */
  scenes: Record<string, (state: W) => Promise<unknown>>;
};

/** The window size at the start of every scene. */
const desktopSize = { width: 1280, height: 900 };

export function defineScenes<W extends { page: Page }>(definition: Definition<W>): SceneGroup {
  const { name, env = {}, postgres = false, pageErrors = [], prepare, scenes } = definition;
  return {
    name,
    env,
    postgres,
    scenes: Object.keys(scenes),
    async visitAll(stage, visit) {
      stage.pageErrors.expect(...pageErrors);
      const state = await prepare(stage);
      const failures: string[] = [];
      for (const [scene, reach] of Object.entries(scenes)) {
        // If one scene fails, visit the rest as well.
        try {
          await state.page.setViewportSize(desktopSize);
          // The last scene ended in the dark theme. A page draws itself again when the theme changes.
          await state.page.emulateMedia({ colorScheme: "light" });
          await reach(state);
          await waitUntilReady(state.page);
          await visit(state.page, scene);
        } catch (error) {
          failures.push(`${scene}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      if (failures.length > 0) throw new Error(failures.join("\n\n"));
    },
  };
}
