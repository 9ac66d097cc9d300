import type { LoaderFunctionArgs } from "@remix-run/node";
import { expect, it } from "vitest";
import { args, fakeExchange, sessionCookie } from "../../support/site";
import { rates, respondWith } from "./swap/fixtures";

const routes = import.meta.glob<{ loader: (args: LoaderFunctionArgs) => Promise<unknown> }>(
  "../../../app/routes/{vegas,fees,status,track,welcome/step}/route.tsx",
);
const params: Record<string, string> = { token: "A".repeat(43), step: "7" };

it.each(Object.keys(routes).map((file) => [file.split("/routes/")[1] ?? "", file]))(
  "C01 %s calls the exchange without a token, even for a signed-in visitor (decision 24), and passes on the visitor's address",
  async (_, file) => {
    const { calls, clients } = fakeExchange({ "GET /api/rates": respondWith(rates) });
    const module = await routes[file]?.();
    const cookie = await sessionCookie();
    const visit = { ...args("/", { cookie }), params, context: { remoteAddress: "192.0.2.1" } };
    await module?.loader(visit).catch(() => "the exchange has no response to some of the calls");
    expect(calls.length).toBeGreaterThan(0);
    expect(new Set(calls.map(({ token }) => token))).toEqual(new Set([null]));
    expect(new Set(clients.map(({ remoteAddress }) => remoteAddress))).toEqual(new Set(["192.0.2.1"]));
  },
);
