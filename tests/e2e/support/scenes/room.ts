/**
 * A room is a handful of scenes that share a site, a visitor and what was prepared for them;
 * a scene is one screen in one state. The axe test checks every scene, `npm run screenshots`
 * photographs every scene: there is one list, `rooms.ts`.
 */
import type { BrowserContextOptions, Page } from "@playwright/test";
import { untilReady } from "../looks";
import type { Site, SiteEnv } from "../site";
import type { Authenticator } from "../test";
import type { Troubles } from "../troubles";

export type Visitor = { page: Page; authenticator: Authenticator };

export type Stage = {
  site: Site;
  /** The site's PostgreSQL, in a room that asks for one. */
  databaseUrl: string;
  troubles: Troubles;
  /** A visitor with a browser of their own. */
  open(options?: BrowserContextOptions): Promise<Visitor>;
};

export type Room = {
  name: string;
  env: SiteEnv;
  postgres: boolean;
  /** The names of its scenes, in the order of the walk. */
  scenes: readonly string[];
  walk(stage: Stage, visit: (page: Page, scene: string) => Promise<void>): Promise<void>;
};

type Plan<W extends { page: Page }> = {
  name: string;
  /** Settings of the site that differ from the usual ones. */
  env?: SiteEnv;
  /** An operator acts here, and operators need PostgreSQL. */
  postgres?: boolean;
  /** What its pages complain of because it is meant so. */
  troubles?: readonly RegExp[];
  enter(stage: Stage): Promise<W>;
  /** Scenes may go on from where the one before them ended. */
  scenes: Record<string, (world: W) => Promise<unknown>>;
};

/** Where every scene begins. */
const desk = { width: 1280, height: 900 };

export function defineRoom<W extends { page: Page }>(plan: Plan<W>): Room {
  const { name, env = {}, postgres = false, troubles = [], enter, scenes } = plan;
  return {
    name,
    env,
    postgres,
    scenes: Object.keys(scenes),
    async walk(stage, visit) {
      stage.troubles.expect(...troubles);
      const world = await enter(stage);
      const failures: string[] = [];
      for (const [scene, reach] of Object.entries(scenes)) {
        // One scene that cannot be reached is no reason to skip those after it.
        try {
          await world.page.setViewportSize(desk);
          await reach(world);
          await untilReady(world.page);
          await visit(world.page, scene);
        } catch (error) {
          failures.push(`${scene}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      if (failures.length > 0) throw new Error(failures.join("\n\n"));
    },
  };
}
