import { describe, expect, it } from "vitest";
import {
  ApiContractError,
  ApiError,
  ApiUnreachableError,
  isApiError,
  orNullIfUnavailable,
  parseRetryAfter,
} from "~/api/errors";

describe("the errors of API calls", () => {
  it.each([
    [null],
    ["text"],
    [{}],
    [{ detail: null }],
    [{ detail: "text" }],
    [{ detail: { message: "", code: 7, fields: null } }],
    [{ detail: { message: { no: "text" }, fields: "text" } }],
  ])("C11 %j has no message, no code and no fields", (body) => {
    expect(new ApiError(418, body, null)).toMatchObject({
      name: "ApiError",
      message: "The exchange responded with status 418.",
      detailMessage: null,
      code: "",
      fields: {},
    });
  });

  it("C11 keeps the fields' messages and leaves out anything that is not a string", () => {
    const error = new ApiError(422, { detail: { message: "No.", code: "invalid", fields: { a: "Bad.", b: 7 } } }, 3);
    expect(error).toMatchObject({ message: "No.", detailMessage: "No.", code: "invalid", retryAfter: 3 });
    expect(error.fields).toEqual({ a: "Bad." });
  });

  it("says that the exchange could not be reached, and why", () => {
    const cause = new Error("ECONNREFUSED");
    expect(new ApiUnreachableError({ cause })).toMatchObject({
      name: "ApiUnreachableError",
      message: "The exchange could not be reached.",
      cause,
    });
  });

  it("isApiError compares the status if it is given one", () => {
    const error = new ApiError(404, null, null);
    expect([isApiError(error), isApiError(error, 404), isApiError(error, 409)]).toEqual([true, true, false]);
    const others = [new ApiUnreachableError({}), { status: 404 }, null];
    expect(others.map((other) => isApiError(other) || isApiError(other, 404))).toEqual([false, false, false]);
  });

  it("orNullIfUnavailable hides only refusals and outages", async () => {
    expect(await orNullIfUnavailable(Promise.resolve(7))).toBe(7);
    expect(await orNullIfUnavailable(Promise.reject(new ApiError(503, null, null)))).toBeNull();
    expect(await orNullIfUnavailable(Promise.reject(new ApiUnreachableError({})))).toBeNull();
    expect(await orNullIfUnavailable(Promise.reject(new ApiContractError("GET /api/rates")))).toBeNull();
    const bug = new TypeError("a bug");
    await expect(orNullIfUnavailable(Promise.reject(bug))).rejects.toBe(bug);
  });

  it.each([
    [null, null],
    ["", null],
    ["  ", null],
    ["soon", null],
    ["2, 3", null],
    ["0", 0],
    ["2.5", 2.5],
    ["-3", 0],
    ["Infinity", null],
    ["Thu, 01 Jan 2026 00:01:30 GMT", 90],
    ["Wed, 31 Dec 2025 23:59:00 GMT", 0],
  ])("C11 reads the Retry-After header %j as %j s", (header, seconds) => {
    expect(parseRetryAfter(header, Date.parse("2026-01-01T00:00:00Z"))).toBe(seconds);
  });
});
