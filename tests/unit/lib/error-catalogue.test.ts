import { describe, expect, it } from "vitest";
import * as errorTexts from "~/lib/error-catalogue";

describe("the error catalogue", () => {
  it("E03 E04 E05 E06 E08 E11 E12 E13 E14 E15 E16 R18 R19 R20 has the specified texts", () => {
    expect(errorTexts).toMatchObject({
      userNotFound: "User not found",
      assetsNotFound: "USDT or MOB asset not found",
      invalidQuote: "Invalid quote",
      rootNotFound: "Root element not found",
      challengeMissing: "Server Error",
      noPasskeys: "No passkeys registered for user",
      passkeyFailed: "Authentication failed",
      registrationStartFailed: "Failed to start passkey registration",
      passkeyCompletionFailed: "Failed completing passkey authentication",
      registrationFailed: "Failed to register passkey",
      registerAndLoginFailed: "Failed to regigister and login with passkey",
      rootTitle: "Error",
      rootText: "An unexpected error has occurred. Please try again later or contact support if the issue persists.",
      somethingWentWrong: "Something went wrong!",
      notFound: "Not Found",
    });
  });

  it.each([
    ["Wrong code", "Authentication failed: Wrong code. Please try again."],
    [" Wrong code. ", "Authentication failed: Wrong code. Please try again."],
    ["The code 1.2 is wrong.", "Authentication failed: The code 1.2 is wrong. Please try again."],
  ])("E10 makes one sentence of a refused e-mail code: %j", (message, text) => {
    expect(errorTexts.emailSignInError(message)).toBe(text);
  });
});
