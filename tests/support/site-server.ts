/** The production server's pipeline on a free port, over a fake exchange and without built files. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServerBuild } from "@remix-run/node";
import { vi } from "vitest";
import "./site";

type Routes = Record<string, { path?: string; index?: boolean; parent?: string; module: object }>;

function toBuild(entry: ServerBuild["entry"]["module"], routes: Routes): ServerBuild {
  const ids = Object.entries(routes).map(([id, { path, index, parent, module }]) => {
    const hasAction = "action" in module;
    return [id, { id, path, index, parentId: parent, module, hasAction, hasLoader: "loader" in module }] as const;
  });
  return {
    entry: { module: entry },
    routes: Object.fromEntries(ids),
    assets: {
      entry: { module: "/assets/entry.js", imports: [] },
      routes: Object.fromEntries(
        ids.map(([id, route]) => [id, { ...route, module: `/assets/${id}.js`, hasErrorBoundary: true }]),
      ),
      url: "/assets/manifest.js",
      version: "test",
    },
    publicPath: "/",
    assetsBuildDirectory: "build/client",
    basename: "/",
    future: { v3_singleFetch: true, v3_relativeSplatPath: true, v3_throwAbortReason: true },
    isSpaMode: false,
  } as unknown as ServerBuild;
}

/** Serves /, /login, an order's events and receipt, and the 404 page. `lines` are the lines of the log. */
export async function startSiteServer({
  requestsPerMinute = 100_000,
  drainMs = 100,
  serveStatic = (_incoming: IncomingMessage, _outgoing: ServerResponse): boolean => false,
} = {}) {
  const { getConfig } = await import("~/config/config.server");
  const { createLog } = await import("~/config/log.server");
  const lines: string[] = [];
  const log = createLog("debug", { write: (line) => void lines.push(line) });
  vi.stubGlobal("__antelopeLog", log);
  vi.stubGlobal("__antelopeLimits", undefined);

  const [{ listen }, { createPublicPages }, { createSite }, entry] = await Promise.all([
    import("~/server/listen.server"),
    import("~/server/public-pages.server"),
    import("~/server/site.server"),
    import("~/entry.server"),
  ]);
  const routes: Routes = {
    root: { path: "", module: await import("~/root") },
    login: { path: "login", parent: "root", module: await import("~/routes/auth/login/route") },
    "not-found": { path: "*", parent: "root", module: await import("~/routes/not-found/route") },
    events: {
      path: "swap/orders/:orderId/events",
      parent: "root",
      module: await import("~/routes/swap/order-events/route"),
    },
    receipt: {
      path: "swap/orders/:orderId/receipt",
      parent: "root",
      module: await import("~/routes/swap/order-receipt/route"),
    },
  };
  const { exchange, ...others } = getConfig();
  const limits = { ...exchange.limits, requestsPerAddressPerMinute: requestsPerMinute };
  const config = { ...others, exchange: { ...exchange, limits }, port: 0, host: "127.0.0.1", drainMs };
  const build = toBuild(entry as unknown as ServerBuild["entry"]["module"], routes);
  const site = createSite(build, config);
  const { server, stop }: { server: Server; stop: () => Promise<void> } = await listen({
    config,
    log,
    site,
    serveStatic,
    servePage: createPublicPages({
      ...config,
      readText: () => undefined,
      render: async (request, visit) => site.fetch(request, visit),
    }),
  });
  return { port: (server.address() as AddressInfo).port, lines, stop };
}
