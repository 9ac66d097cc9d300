import { describe, expect, it } from "vitest";
import { ApiError, ApiUnreachableError } from "~/api/errors";
import { toUserErrorText } from "~/session/user-error.server";

const makeApiError = (status: number, message?: string) =>
  new ApiError(status, message ? { detail: { message } } : null, null);

describe("error texts of API calls", () => {
  it("E01 covers the current user", () => {
    expect(toUserErrorText(makeApiError(401, "x"))).toBe("Token expired");
    expect(toUserErrorText(makeApiError(403, "x"))).toBe("Unauthorized");
    expect(toUserErrorText(makeApiError(500, "From the server"))).toBe("From the server");
    expect(toUserErrorText(makeApiError(500))).toBe("Error fetching user");
    expect(toUserErrorText(new ApiUnreachableError({}))).toBe("An error occurred fetching user");
    expect(toUserErrorText(new Error("x"))).toBe("An unknown error occurred");
  });
});
