import { Hono } from "hono";
import { expect, it } from "vitest";
import { limitConcurrentPages } from "~/server/limit-pages.server";
import { deferred } from "../../support/deferred";

it("T14 renders 16 pages of a network at a time, and refuses more once a thousand are waiting", async () => {
  const rendering = deferred();
  let rendered = 0;
  const site = new Hono<{ Bindings: { remoteAddress: string; isForEveryone?: true } }>();
  site.all("*", limitConcurrentPages(), async (c) => {
    rendered += 1;
    await rendering.promise;
    return c.text("a page");
  });
  const open = async (visit: { remoteAddress: string; isForEveryone?: true }, accept = "text/html") => {
    const request = new Request("http://localhost/help?x=1", { headers: { Accept: accept } });
    return site.fetch(request, visit);
  };
  const network = { remoteAddress: "192.0.2.1" };
  const pages = Array.from({ length: 1_016 }, () => open(network));
  const refused = await open(network);
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "1"]);
  expect(await refused.text()).toContain("Try again in 1 second.");
  const refusedData = await open(network, "*/*");
  expect([refusedData.status, await refusedData.text()]).toEqual([429, expect.stringMatching(/^Too many requests\./)]);
  expect(rendered).toBe(16);

  pages.push(open({ remoteAddress: "192.0.2.2" }), open({ ...network, isForEveryone: true }));
  await new Promise(setImmediate);
  expect(rendered, "another network, and a page that has had its turn already").toBe(18);
  rendering.resolve();
  expect(new Set((await Promise.all(pages)).map(({ status }) => status))).toEqual(new Set([200]));
});

it("T14 renders other pages of the network while its forms are still arriving", async () => {
  const sent = deferred();
  const site = new Hono<{ Bindings: { remoteAddress: string } }>();
  site.all("*", limitConcurrentPages(), async (c) => c.text(await c.req.raw.text()));
  const network = { remoteAddress: "192.0.2.1" };
  const sendSlowly = () => {
    const body = new ReadableStream({
      async start(controller) {
        await sent.promise;
        controller.enqueue(new TextEncoder().encode("intent=send"));
        controller.close();
      },
    });
    const init = { method: "POST", headers: { "Content-Length": "11" }, body, duplex: "half" } as const;
    return site.fetch(new Request("http://localhost/login", init), network);
  };
  const forms = Array.from({ length: 16 }, sendSlowly);
  expect((await site.fetch(new Request("http://localhost/help?x=1"), network)).status).toBe(200);
  sent.resolve();
  for (const form of forms) expect(await (await form).text()).toBe("intent=send");
});

it("refuses a form that is cut off", async () => {
  const site = new Hono<{ Bindings: { remoteAddress: string } }>();
  site.all("*", limitConcurrentPages(), (c) => c.text("a page"));
  const body = new ReadableStream({ start: (controller) => controller.error(new Error("broken off")) });
  const init = { method: "POST", headers: { "Content-Length": "11" }, body, duplex: "half" } as const;
  const request = new Request("http://localhost/login", init);
  expect((await site.fetch(request, { remoteAddress: "192.0.2.1" })).status).toBe(400);
});
