import { describe, expect, it } from "vitest";
import { paths } from "~/lib/paths";

describe("paths", () => {
  it("match the specification", () => {
    expect([
      paths.login(),
      paths.login({ redirect: "/kyc", message: true }),
      paths.kyc({ redirect: "/swap/usdt-to-mob" }),
      paths.direction("USDT"),
      paths.direction("MOB"),
      paths.direction("USDT", { amount: "12.5", side: "target", delivery: "d1", refund: "r1" }),
      paths.direction("USDT", { amount: "ten", side: null, delivery: null }),
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
        "/swap/usdt-to-mob?amount=12.5&side=target&delivery=d1&refund=r1",
        "/swap/usdt-to-mob?amount=ten",
        "/swap/deliveryaddress/?addressType=MOB",
        "/swap/deliveryaddress/add?addressType=ETH&redirect=%2Fswap",
        "/swap/quote/7",
        "/welcome/3",
      ]
    `);
  });
});
