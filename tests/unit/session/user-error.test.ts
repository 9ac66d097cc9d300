import { describe, expect, it } from "vitest";
import { ApiError, ApiUnreachableError } from "~/api/errors";
import { toAssetsErrorText, toUserErrorText } from "~/session/user-error";

const answered = (status: number, message?: string) =>
  new ApiError(status, message ? { detail: { message } } : null, null);

describe("the texts of failed calls", () => {
  it("E01 the current user", () => {
    expect(toUserErrorText(answered(401, "x"))).toBe("Token expired");
    expect(toUserErrorText(answered(403, "x"))).toBe("Unauthorized");
    expect(toUserErrorText(answered(500, "From the server"))).toBe("From the server");
    expect(toUserErrorText(answered(500))).toBe("Error fetching user");
    expect(toUserErrorText(new ApiUnreachableError({}))).toBe("An error occurred fetching user");
    expect(toUserErrorText(new Error("x"))).toBe("An unknown error occurred");
  });

  it("E02 the assets", () => {
    expect(toAssetsErrorText(answered(500, "From the server"))).toBe("From the server");
    expect(toAssetsErrorText(answered(500))).toBe("An error occurred while getting assets");
    expect(toAssetsErrorText(new Error("x"))).toBe("An unknown error occurred");
  });
});
