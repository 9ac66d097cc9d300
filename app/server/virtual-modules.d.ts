/** The server build of the app, provided by Remix's Vite plugin. */
declare module "virtual:remix/server-build" {
  import type { ServerBuild } from "@remix-run/node";

  const build: ServerBuild;
  export const assets: typeof build.assets;
  export const assetsBuildDirectory: typeof build.assetsBuildDirectory;
  export const basename: typeof build.basename;
  export const entry: typeof build.entry;
  export const future: typeof build.future;
  export const isSpaMode: typeof build.isSpaMode;
  export const mode: string;
  export const publicPath: typeof build.publicPath;
  export const routes: typeof build.routes;
}
