import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { loader as indexLoader } from "~/routes/index/route";
import { loader as layoutLoader } from "~/routes/layout/route";
import { loader as notFoundLoader } from "~/routes/not-found/route";
import { isGuardedAction } from "~/session/site-action.server";
import { args, fakeExchange, makeUser, refusal, responseOf, sessionCookie } from "../../support/site";

const table = readFileSync(resolve("app/routes.ts"), "utf8");
const files = [...new Set([...table.matchAll(/"(routes\/[^"]+)"/g)].map(([, file]) => file ?? ""))];
/** Answered by the exchange, which reads no cookie; and a page of the development build. */
const withoutGuard = ["routes/api/route.ts", "routes/sandbox-calls/route.ts"];
const modules = import.meta.glob<{ action?: unknown }>("../../../app/routes/**/*.{ts,tsx}");

describe("the route table", () => {
  it.each(files)("T2 every action stands behind the origin guard: %s", async (file) => {
    const load = modules[`../../../app/${file}`];
    expect(load, `${file} is not there`).toBeDefined();
    const { action } = (await load?.()) ?? {};
    if (action !== undefined && !withoutGuard.includes(file)) expect(isGuardedAction(action)).toBe(true);
  });

  it("R01 / leads at once to /swap, replacing history", async () => {
    const response = await responseOf(Promise.resolve(indexLoader()));
    expect([response.status, response.headers.get("Location"), response.headers.get("X-Remix-Replace")]).toEqual([
      302,
      "/swap",
      "true",
    ]);
  });

  it("R17 an unknown URL is answered 404", () => {
    expect(notFoundLoader(args("/nope"))).toMatchObject({ init: { status: 404 } });
  });
});

describe("R21 the layout's loader", () => {
  it("S04 hands over the auth state and the user", async () => {
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

  it("E01 a failing call is no failing page: its text is handed over", async () => {
    fakeExchange({ "GET /api/users/me": () => refusal(418, "x", "Short and stout") });
    expect(await layoutLoader(args("/login", { cookie: await sessionCookie() }))).toMatchObject({
      user: null,
      userError: "Short and stout",
    });
  });
});
