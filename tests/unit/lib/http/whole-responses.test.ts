import { describe, expect, it } from "vitest";
import { BodyTooLargeError, fetchWhole } from "~/lib/http/whole-responses";

const respondWith = (response: Response) => fetchWhole(4, async () => response);

describe("a fetch of whole responses", () => {
  it("keeps the status, the headers and the body", async () => {
    const init = { status: 418, statusText: "Teapot", headers: { "X-Name": "pot" } };
    const response = await respondWith(new Response("tea!", init))("http://pot.invalid");
    expect([response.status, response.statusText, response.headers.get("X-Name")]).toEqual([418, "Teapot", "pot"]);
    expect(await response.text()).toBe("tea!");
  });

  it.each([204, 304])("does not have a body with status %i", async (status) => {
    const response = await respondWith(new Response(null, { status }))("http://pot.invalid");
    expect([response.status, response.body]).toEqual([status, null]);
  });

  it("refuses a body that is one byte too long, and stops reading it", async () => {
    let isCancelled = false;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(5)),
      cancel: () => {
        isCancelled = true;
      },
    });
    await expect(respondWith(new Response(body))("http://pot.invalid")).rejects.toThrow(BodyTooLargeError);
    expect(isCancelled).toBe(true);
  });

  it.each<[string, (url: string, signal: AbortSignal) => Parameters<typeof fetch>]>([
    ["of the options", (url, signal) => [url, { signal }]],
    ["of the request", (url, signal) => [new Request(url, { signal })]],
  ])("ends with the signal %s, even if `fetch` does not end the body", async (_name, toArguments) => {
    const abort = new AbortController();
    const reason = new Error("too late");
    const body = new ReadableStream({ pull: () => abort.abort(reason) }, { highWaterMark: 0 });
    const response = fetchWhole(4, async () => new Response(body))(...toArguments("http://pot.invalid", abort.signal));
    await expect(response).rejects.toBe(reason);
  });

  it("reads nothing if the signal was aborted while the headers arrived", async () => {
    const abort = new AbortController();
    const send = async () => {
      abort.abort();
      return new Response("tea!");
    };
    await expect(fetchWhole(4, send)("http://pot.invalid", { signal: abort.signal })).rejects.toThrow("aborted");
  });
});
