import { expect, it } from "vitest";
import { ApiError, ApiUnreachableError } from "~/api/errors";
import { toAssetsErrorText } from "~/routes/swap/direction/assets.server";

const makeApiError = (status: number, message?: string) =>
  new ApiError(status, message ? { detail: { message } } : null, null);

it("E02 says why the assets cannot be fetched", () => {
  expect(toAssetsErrorText(makeApiError(500, "From the server"))).toBe("From the server");
  expect(toAssetsErrorText(makeApiError(500))).toBe("An error occurred while getting assets");
  expect(toAssetsErrorText(new ApiUnreachableError({}))).toBe("An error occurred while getting assets");
  expect(toAssetsErrorText(new Error("x"))).toBe("An unknown error occurred");
});
