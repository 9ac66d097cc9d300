import { describe, expect, it } from "vitest";
import * as constants from "~/lib/constants";
import { errorTexts } from "~/lib/error-catalogue";
import { paths } from "~/lib/paths";
import { parseAddressType, parseMessage, parseRedirect } from "~/lib/search-params";

const params = (text: string) => new URLSearchParams(text);

describe("search params: what does not fit is dropped", () => {
  it("V01 R13 redirect is a path of this site or absent", () => {
    expect(parseRedirect(params("redirect=%2Fswap"))).toBe("/swap");
    expect(parseRedirect(params("redirect=//evil.example"))).toBeNull();
    expect(parseRedirect(params("redirect=/a&redirect=/b"))).toBeNull();
    expect(parseRedirect(params(""))).toBeNull();
  });

  it("V02 R15 message is true or false or absent", () => {
    expect(parseMessage(params("message=true"))).toBe(true);
    expect(parseMessage(params("message=false"))).toBe(false);
    for (const text of ["message=1", "message=TRUE", "message=", "message=true&message=true", ""]) {
      expect(parseMessage(params(text))).toBeNull();
    }
  });

  it("V03 R10 R11 K02 addressType is exactly MOB or ETH", () => {
    expect(parseAddressType(params("addressType=MOB"))).toBe("MOB");
    expect(parseAddressType(params("addressType=ETH"))).toBe("ETH");
    for (const value of ["mob", "BTC", "", "MOB "]) expect(parseAddressType(params(`addressType=${value}`))).toBeNull();
  });
});

describe("the specification's constants", () => {
  it("K01 K02 K03 K04 K05 K06 K08 K09 K10 stand as section 9 has them", () => {
    expect(constants).toMatchObject({
      swapAssets: ["USDT", "MOB"],
      deliveryAddressTypes: ["MOB", "ETH"],
      newUserWindowMs: 60_000,
      userRefreshMs: 60_000,
      requestTimeoutMs: 60_000,
      requestRetries: 3,
      userRetries: 1,
      assetsRetries: 1,
      welcomeSteps: 9,
      welcomePages: ["what-is-signal", "enable-signal"],
      mainnetChainId: 1,
      sepoliaChainId: 11_155_111,
      walletRpcTimeoutMs: 10_000,
      walletRpcRetries: 3,
      walletRpcRetryDelayMs: 150,
      walletRpcBatchSize: 1_000,
    });
  });

  it("K07 the query cache's times and keys", () => {
    expect(constants.queryStaleMs).toBe(300_000);
    expect(constants.queryLifetimeMs).toBe(300_000);
    expect(constants.queryRetries).toBe(3);
    expect([0, 1, 4, 5, 9].map(constants.queryRetryDelayMs)).toEqual([1_000, 2_000, 16_000, 30_000, 30_000]);
    expect(constants.queryKeyNames).toEqual([
      "user",
      "assets",
      "quote",
      "activeQuote",
      "fundingAddress",
      "deliveryAddress",
      "swaps",
    ]);
  });
});

describe("paths", () => {
  it("stand as the specification writes them", () => {
    expect([
      paths.login(),
      paths.login({ redirect: "/kyc", message: true }),
      paths.kyc({ redirect: "/swap/usdt-to-mob" }),
      paths.direction("USDT"),
      paths.direction("MOB"),
      paths.deliveryAddresses({ addressType: "MOB" }),
      paths.addDeliveryAddress({ addressType: "ETH", redirect: "/swap" }),
      paths.quote(7),
      paths.welcomeStep(3),
    ]).toMatchInlineSnapshot(`
      [
        "/login",
        "/login?redirect=%2Fkyc&message=true",
        "/kyc?redirect=%2Fswap%2Fusdt-to-mob",
        "/swap/usdt-to-mob",
        "/swap/mob-to-usdt",
        "/swap/deliveryaddress/?addressType=MOB",
        "/swap/deliveryaddress/add?addressType=ETH&redirect=%2Fswap",
        "/swap/quote/7",
        "/welcome/3",
      ]
    `);
  });
});

describe("the error catalogue", () => {
  it("E03 E04 E05 E06 E08 E11 E12 E13 E14 E15 E16 R18 R19 R20 word for word", () => {
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
});
