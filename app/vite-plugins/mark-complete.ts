import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/**
 * Leaves the file `build/complete` only after a whole build, so that `npm start` builds again after one that was
 * interrupted. Must be the last plugin.
 */
export function markComplete(): Plugin {
  let file = "";
  let isServerBuild = false;
  let isWritten = false;
  return {
    name: "antelope:mark-complete",
    apply: "build",
    configResolved({ root, build }) {
      file = join(root, build.outDir, "../complete");
      isServerBuild = build.ssr !== false;
    },
    buildStart() {
      rmSync(file, { force: true });
    },
    writeBundle() {
      isWritten = true;
    },
    closeBundle() {
      // Remix builds the browser's files first. Also called after a failure.
      if (isServerBuild && isWritten) writeFileSync(file, "");
    },
  };
}
