import type { AppLoadContext } from "@remix-run/node";
import { describe, expect, it } from "vitest";
import { ApiContractError, ApiError, ApiUnreachableError } from "~/api/errors";
import {
  markIncomplete,
  redirectTo,
  replaceWith,
  sendFile,
  unwrapOrThrow,
  withSessionCookies,
} from "~/session/responses.server";
import { args, fakeExchange } from "../../support/site";

const thrownBy = (error: unknown) => unwrapOrThrow(Promise.reject(error)).catch((caught: unknown) => caught);
const errorWith = (status: number, message?: string) =>
  new ApiError(status, message === undefined ? null : { detail: { message } }, null);

describe("the responses of loaders and actions", () => {
  it("T10 are private, are not sniffed, and keep their own headers", async () => {
    fakeExchange({});
    const request = args("/swap");
    const headers = { "X-Own": "1" };
    const responses = [
      await replaceWith(request, "/login", headers),
      await redirectTo(request, "/login", headers),
      await withSessionCookies(request, new Response(null, { headers })),
    ];
    for (const { headers: sent } of responses)
      expect([sent.get("cache-control"), sent.get("x-content-type-options"), sent.get("x-own")]).toEqual([
        "private, no-store",
        "nosniff",
        "1",
      ]);
    expect(responses.map(({ headers: sent }) => [sent.get("location"), sent.get("x-remix-replace")])).toEqual([
      ["/login", "true"],
      ["/login", null],
      [null, null],
    ]);
  });

  it("R20 a missing resource is Not Found, whatever the exchange says", async () => {
    expect(await thrownBy(errorWith(404, "No such order."))).toMatchObject({
      data: { message: "Not Found" },
      init: { status: 404 },
    });
  });

  it.each([
    [errorWith(409, "It has changed."), "It has changed.", 409],
    [errorWith(500), "An unknown error occurred", 500],
    [new ApiUnreachableError({}), "The exchange could not be reached.", 503],
    [new ApiContractError("GET /api/kyc"), "An unknown error occurred", 503],
  ])("another failure of a call has its own message and status (%#)", async (error, message, status) => {
    expect(await thrownBy(error)).toMatchObject({ data: { message }, init: { status } });
  });

  it("a bug is rethrown unchanged, without a message for visitors, and a result is returned", async () => {
    const bug = new TypeError("a bug");
    expect(await thrownBy(bug)).toBe(bug);
    expect(await unwrapOrThrow(Promise.resolve(7))).toBe(7);
  });

  it("T10 a page that is not complete says so to the server", () => {
    const context = {} as AppLoadContext;
    markIncomplete({ context });
    expect(context.isIncomplete).toBe(true);
  });

  it("T10 a file to download is private and has its type and name", async () => {
    fakeExchange({});
    const file = await sendFile(args("/doger/export"), "a,b", { type: "text/csv", name: "swaps.csv" });
    expect(await file.text()).toBe("a,b");
    expect(
      ["content-type", "content-disposition", "cache-control"].map((name) => [name, file.headers.get(name)]),
    ).toEqual([
      ["content-type", "text/csv"],
      ["content-disposition", 'attachment; filename="swaps.csv"'],
      ["cache-control", "private, no-store"],
    ]);
  });
});
