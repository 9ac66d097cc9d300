import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { describe, expect, it } from "vitest";
import { isWithoutScripts } from "~/components/shell/use-scripts";
import { layoutRouteId } from "~/loaded-data/layout-data";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import routeTable from "~/routes";
import { loader as indexLoader } from "~/routes/index/route";
import { loader as layoutLoader } from "~/routes/layout/route";
import { loader as notFoundLoader } from "~/routes/not-found/route";
import { isGuardedAction } from "~/session/site-action.server";
import { isDocumentOnly } from "~/vite-plugins/document-only";
import { args, fakeExchange, makeUser, refusal, responseOf, sessionCookie } from "../../support/site";

const table = readFileSync(resolve("app/routes.ts"), "utf8");
const files = [...new Set([...table.matchAll(/"(routes\/[^"]+)"/g)].map(([, file]) => file ?? ""))];
/**
 * These forward to the API, which does not read cookies, and to the sandbox's calls, which check the origin themselves.
 */
const unguarded = ["routes/api/route.ts", "routes/sandbox-calls/route.ts"];
/** These surround pages with their own titles, or redirect. */
const untitled = [
  "routes/layout/route.tsx",
  "routes/auth/route.tsx",
  "routes/welcome/route.tsx",
  "routes/index/route.tsx",
  "routes/welcome/index/route.ts",
];
type RouteModule = {
  action?: unknown;
  clientAction?: unknown;
  clientLoader?: unknown;
  default?: unknown;
  handle?: unknown;
  meta?: unknown;
  shouldRevalidate?: unknown;
};
const modules = import.meta.glob<RouteModule>("../../../app/routes/**/*.{ts,tsx}");

async function load(file: string): Promise<RouteModule> {
  return (await modules[`../../../app/${file}`]?.()) ?? {};
}

const loaded = await Promise.all(files.map(async (file) => ({ file, route: await load(file) })));
/** The files of the modules that `isMeant` selects. */
const filesWith = (isMeant: (route: RouteModule) => boolean) =>
  loaded.filter(({ route }) => isMeant(route)).map(({ file }) => file);
const withAction = filesWith(({ action }) => action !== undefined).filter((file) => !unguarded.includes(file));
const withTitle = filesWith(({ default: page }) => page !== undefined).filter((file) => !untitled.includes(file));
const withForms = filesWith(
  ({ action, clientAction, default: page, handle }) =>
    page !== undefined && (action ?? clientAction) !== undefined && !isWithoutScripts(handle),
);

/** The ids that a file passes to the functions that need the id of its route. */
function readRouteIds(file: string): (string | undefined)[] {
  const source = readFileSync(resolve("app", file), "utf8");
  return [...source.matchAll(/\b(?:cachedLoader|uncachedLoader|loadOrKeep)\(\s*([^,)\s]+)/g)].map(([, id]) =>
    id === "layoutRouteId" ? JSON.stringify(layoutRouteId) : id,
  );
}
const withRouteIds = files.filter((file) => readRouteIds(file).length > 0);

describe("the route table", () => {
  it("finds each kind of route module, so that the tests below don't leave any out", () => {
    for (const file of files) expect(modules[`../../../app/${file}`], `${file} does not exist`).toBeDefined();
    expect(withAction.length).toBeGreaterThanOrEqual(14);
    expect(withTitle.length).toBeGreaterThanOrEqual(27);
    expect(withForms.length).toBeGreaterThanOrEqual(11);
    expect(withRouteIds.length).toBeGreaterThanOrEqual(12);
  });

  it.each(withAction)("T2 checks the origin before every action: %s", async (file) => {
    expect(isGuardedAction((await load(file)).action)).toBe(true);
  });

  it.each(withTitle)("every page has a title: %s", async (file) => {
    expect((await load(file)).meta).toBeTypeOf("function");
  });

  it.each(withForms)("a page with forms keeps its data if it cannot have changed: %s", async (file) => {
    expect((await load(file)).shouldRevalidate).toBe(revalidationPolicy);
  });

  it.each(withForms)("a form invalidates what it may have changed, and survives a lost response: %s", async (file) => {
    expect((await load(file)).clientAction).toBeTypeOf("function");
  });

  it.each(withRouteIds)("K07 a client loader knows its route by the path of its file: %s", (file) => {
    for (const id of readRouteIds(file)) expect(id).toBe(JSON.stringify(file.replace(/\.tsx?$/, "")));
  });

  it.each(loaded)("React opens exactly the routes that it can show or leave: $file", ({ file, route }) => {
    const { clientAction, clientLoader, default: page, handle } = route;
    const isForReact = page !== undefined && !isWithoutScripts(handle);
    const expected = !isForReact && (clientAction ?? clientLoader) === undefined;
    expect(isDocumentOnly(readFileSync(resolve("app", file), "utf8"))).toBe(expected);
  });

  it("R01 / redirects to /swap, replacing history", async () => {
    const response = await responseOf(indexLoader(args("/")));
    expect([response.status, response.headers.get("Location"), response.headers.get("X-Remix-Replace")]).toEqual([
      302,
      "/swap",
      "true",
    ]);
  });

  it("R23 every page is inside the layout, except /vegas and three pages of our own", () => {
    const folders = new Map<string, string[]>();
    const outside: string[] = [];
    const layout = "routes/layout/route.tsx";
    const walk = (entries: readonly RouteConfigEntry[], path: string, parents: string[]) => {
      for (const { file, path: part = "", index, children } of entries) {
        const full = `${path}/${part}`.replace(/\/+/g, "/");
        if (file.endsWith(".tsx") && !children && !parents.includes(layout)) outside.push(full);
        if (children) walk(children, full, [...parents, file]);
        else if (index || part !== "") folders.set(full.replace(/(.)\/$/, "$1"), parents);
      }
    };
    walk(routeTable as RouteConfigEntry[], "", []);
    const inside = [
      "/",
      "/login",
      "/register",
      "/welcome",
      "/welcome/:step",
      "/welcome/what-is-signal",
      "/welcome/enable-signal",
      "/swap",
      "/swap/usdt-to-mob",
      "/swap/mob-to-usdt",
      "/swap/deliveryaddress",
      "/swap/deliveryaddress/add",
      "/swap/quote/:quoteId",
      "/kyc",
      "/doger",
      "/*",
    ];
    for (const path of inside) expect([path, folders.get(path)?.[0]]).toEqual([path, layout]);
    expect(outside.sort()).toEqual(["/offline", "/styleguide", "/track/:token", "/vegas"]);
  });

  it("R15 /login and /register are in a group that does not add to their paths", async () => {
    const [layout] = (await routeTable).filter(({ file }) => file === "routes/layout/route.tsx");
    const group = layout?.children?.find(({ file }) => file === "routes/auth/route.tsx");
    expect(layout?.path).toBeUndefined();
    expect(group?.path).toBeUndefined();
    expect(group?.children?.map(({ path }) => path)).toEqual(["login", "register"]);
  });

  it("R17 an unknown URL returns 404", () => {
    expect(notFoundLoader(args("/nope"))).toMatchObject({ init: { status: 404 } });
  });
});

describe("the layout's loader", () => {
  it("R21 S04 returns the auth state and the user", async () => {
    fakeExchange({ "GET /api/users/me": () => Response.json(makeUser()) });
    expect(await layoutLoader(args("/swap", { cookie: await sessionCookie() }))).toEqual({
      auth: "passkey",
      user: makeUser(),
      userError: null,
      email: "ada@example.org",
    });
    fakeExchange({});
    expect(await layoutLoader(args("/swap"))).toEqual({ auth: "signed-out", user: null, userError: null, email: null });
  });

  it("E01 returns the error text instead of failing when the call fails", async () => {
    fakeExchange({ "GET /api/users/me": () => refusal(418, "x", "Short and stout") });
    expect(await layoutLoader(args("/login", { cookie: await sessionCookie() }))).toMatchObject({
      user: null,
      userError: "Short and stout",
    });
  });
});
