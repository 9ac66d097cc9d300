import { describe, expect, it, vi } from "vitest";
import { isOwnOrigin } from "~/session/origin.server";
import { isGuardedAction, siteAction } from "~/session/site-action.server";
import { args, fakeExchange, origin } from "../../support/site";

const origins = [origin, "https://localhost:3000", "http://localhost:3001", "http://evil.example", "null", null];
const sites = ["same-origin", "same-site", "cross-site", "none", null];
const cases = origins.flatMap((from) => sites.map((site) => ({ from, site })));

describe("T2 the origin check", () => {
  it.each(cases)("Origin $from with Sec-Fetch-Site $site", async ({ from, site }) => {
    fakeExchange({});
    const allowed = site === null ? from === origin : site === "same-origin";
    const headers = new Headers();
    if (from !== null) headers.set("origin", from);
    if (site !== null) headers.set("sec-fetch-site", site);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect(isOwnOrigin({ method, headers }, origin)).toBe(allowed);
    expect(isOwnOrigin({ method: "GET", headers }, origin)).toBe(true);

    const handler = vi.fn(async () => null);
    const request = new Request(`${origin}/login`, { method: "POST", headers, body: new URLSearchParams({ a: "1" }) });
    const outcome: unknown = await siteAction(handler)({ ...args("/login"), request }).catch((error: unknown) => error);
    expect(handler).toHaveBeenCalledTimes(allowed ? 1 : 0);
    if (!allowed) expect((outcome as Response).status).toBe(403);
  });

  it("refuses with a plain-text sentence that must not be cached", async () => {
    const request = new Request(`${origin}/login`, { method: "POST", headers: { origin: "http://evil.example" } });
    const outcome: unknown = await siteAction(async () => null)({ ...args("/login"), request }).catch(
      (e: unknown) => e,
    );
    const { status, headers } = outcome as Response;
    expect([status, headers.get("cache-control"), headers.get("content-type")]).toEqual([
      403,
      "no-store",
      "text/plain; charset=utf-8",
    ]);
    expect(await (outcome as Response).text()).toBe("This request didn't come from this site.");
  });

  it("refuses ?_data= with 410 without running the action", async () => {
    const handler = vi.fn(async () => null);
    const outcome = await siteAction(handler)(args("/login?_data=routes", { form: { a: "1" } })).catch(
      (error: unknown) => error,
    );
    expect((outcome as Response).status).toBe(410);
    expect(handler).not.toHaveBeenCalled();
  });

  it.each(["PUT", "PATCH", "DELETE"])("refuses %s with 405 and the allowed methods", async (method) => {
    const handler = vi.fn(async () => null);
    const request = new Request(`${origin}/login`, { method, headers: { origin } });
    const outcome: unknown = await siteAction(handler)({ ...args("/login"), request }).catch((e: unknown) => e);
    const { status, headers } = outcome as Response;
    expect([status, headers.get("allow"), headers.get("cache-control"), headers.get("content-type")]).toEqual([
      405,
      "GET, HEAD, POST",
      "no-store",
      "text/plain; charset=utf-8",
    ]);
    expect(await (outcome as Response).text()).toBe("This action is not supported here.");
    expect(handler).not.toHaveBeenCalled();
  });

  it("tells the actions that it guards from others", () => {
    const action = siteAction(async () => null);
    const values = [action, async () => null, { ...action }, null, undefined];
    expect(values.map(isGuardedAction)).toEqual([true, false, false, false, false]);
  });
});
