import { crc32 } from "node:zlib";
import { expect, type Page } from "@playwright/test";
import { base58 } from "@scure/base";
import vectors from "../../../vectors/mobilecoin-addresses.json" with { type: "json" };
import { signUp } from "../customers";
import { getMobWallet, newEthAddress } from "../sandbox";
import { fillAddress } from "../swap-screens";
import { defineScenes, type Stage } from "./scene-group";

const send = (page: Page) => page.getByLabel("You send", { exact: true });

async function type(page: Page, direction: string, amount: string): Promise<void> {
  await page.goto(`/swap/${direction}`);
  await send(page).fill(amount);
}

async function approved(stage: Stage, locale?: string) {
  const visitor = await stage.open(locale ? { locale } : {});
  return { ...visitor, customer: await signUp(visitor.page, stage.site), site: stage.site };
}

/** Both directions, without and then with addresses. */
export const swap = defineScenes({
  name: "swap",
  prepare: approved,
  scenes: {
    "kyc-approved": ({ page }) => page.goto("/kyc"),
    swap: ({ page }) => page.goto("/swap"),
    "swap-usdt-to-mob": ({ page }) => page.goto("/swap/usdt-to-mob"),
    "swap-mob-to-usdt": ({ page }) => page.goto("/swap/mob-to-usdt"),
    "swap-empty": ({ page }) => type(page, "usdt-to-mob", ""),
    "swap-below-minimum": async ({ page }) => {
      await type(page, "usdt-to-mob", "2");
      await expect(page.getByText(/^The minimum swap is worth/).first()).toBeVisible();
    },
    "swap-above-maximum": async ({ page }) => {
      await type(page, "mob-to-usdt", "1000000");
      await expect(page.getByText(/^The maximum swap is worth/).first()).toBeVisible();
    },
    "swap-not-a-number": async ({ page }) => {
      await type(page, "usdt-to-mob", "ten");
      await expect(send(page)).toHaveAttribute("aria-invalid", "true");
    },
    "swap-refused": async ({ page }) => {
      await type(page, "usdt-to-mob", "");
      await page.getByRole("button", { name: "Get exact price" }).last().click();
      await expect(page.getByText("Enter an amount.").first()).toBeVisible();
    },
    "swap-addresses-missing": async ({ page }) => {
      await type(page, "usdt-to-mob", "250");
      await page.getByRole("button", { name: "Get exact price" }).last().click();
      await expect(page.getByText("Enter an address.").first()).toBeVisible();
    },
    "swap-with-addresses": async ({ page, customer, site }) => {
      await customer.addAddress("MOB", (await getMobWallet(site)).address, "My Signal");
      await customer.addAddress("ETH", newEthAddress(), "Cold wallet");
      await type(page, "usdt-to-mob", "1234.56");
    },
    "swap-mob-with-addresses": ({ page }) => type(page, "mob-to-usdt", "432.1"),
  },
});

/** A locale with a decimal comma and other date formats. */
export const german = defineScenes({
  name: "german",
  prepare: (stage) => approved(stage, "de-DE"),
  scenes: {
    "swap-comma": async ({ page }) => {
      await type(page, "usdt-to-mob", "1.234,5");
      await expect(send(page)).not.toHaveAttribute("aria-invalid", "true");
    },
    "order-comma": async ({ page, customer }) => {
      const order = await customer.lock("USDT", "1234.5", newEthAddress());
      await page.goto(`/swap/quote/${order.quote_id}`);
    },
  },
});

/** A printable wrapper with a payment request (field 2), as wallets encode it. */
function makePaymentRequest(): string {
  const body = Uint8Array.from([0x12, 0x04, 1, 2, 3, 4]);
  const bytes = new Uint8Array(4 + body.length);
  new DataView(bytes.buffer).setUint32(0, crc32(body), true);
  bytes.set(body, 4);
  return base58.encode(bytes);
}

const giftCode = vectors.invalid.find(({ why }) => why.includes("gift_code"))?.b58 ?? "";

async function refuse(page: Page, type: "MOB" | "ETH", address: string, message: RegExp): Promise<void> {
  await page.goto(`/swap/deliveryaddress/add?addressType=${type}`);
  await fillAddress(page, address);
  await expect(page.getByText(message)).toBeVisible();
}

/** Price alerts on the account page. */
export const alerts = defineScenes({
  name: "price-alerts",
  pageErrors: [/422/],
  prepare: approved,
  scenes: {
    "price-alerts-empty": ({ page }) => page.goto("/doger#price-alerts"),
    "price-alerts-refused": async ({ page }) => {
      await page.getByLabel("Price in USDT").fill("0.0001");
      await page.getByRole("button", { name: "Set price alert" }).click();
      await expect(page.getByText("1 MOB already costs more than this.")).toBeVisible();
    },
    "price-alerts-set": async ({ page }) => {
      await page.getByLabel("Price in USDT").fill("1250.5");
      await page.getByRole("button", { name: "Set price alert" }).click();
      await expect(page.getByText("1 MOB costs more than 1,250.5 USDT", { exact: true })).toBeVisible();
    },
  },
});

/** Replaces the camera, which the headless shell cannot open. scan.test.ts uses Chromium's own. */
function replaceCamera(page: Page, visitor: { isAllowed: boolean }): Promise<unknown> {
  return page.addInitScript(({ isAllowed }) => {
    navigator.mediaDevices.getUserMedia = async () => {
      if (!isAllowed) throw new DOMException("Permission denied", "NotAllowedError");
      const picture = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
      picture.getContext("2d")?.fillRect(160, 120, 320, 240);
      return picture.captureStream();
    };
  }, visitor);
}

const toPictureWidth = (video: SVGElement | HTMLElement) => (video as HTMLVideoElement).videoWidth;

export const addresses = defineScenes({
  name: "addresses",
  pageErrors: [/422/],
  prepare: approved,
  scenes: {
    "address-add": ({ page }) => page.goto("/swap/deliveryaddress/add"),
    "address-add-mob": async ({ page }) => {
      await page.goto("/swap/deliveryaddress/add?addressType=MOB");
      await page.locator("summary", { hasText: "Where do I find my address in Signal?" }).click();
    },
    "address-add-eth": ({ page }) => page.goto("/swap/deliveryaddress/add?addressType=ETH"),
    "address-scan": async ({ page }) => {
      await replaceCamera(page, { isAllowed: true });
      await page.goto("/swap/deliveryaddress/add?addressType=ETH");
      await page.getByRole("button", { name: "Scan a QR code" }).click();
      const dialog = page.getByRole("dialog", { name: "Scan a QR code" });
      await expect(dialog).toBeVisible();
      await expect.poll(() => dialog.locator("video").evaluate(toPictureWidth)).toBe(640);
    },
    "address-scan-declined": async ({ page }) => {
      await replaceCamera(page, { isAllowed: false });
      await page.goto("/swap/deliveryaddress/add?addressType=ETH");
      await page.getByRole("button", { name: "Scan a QR code" }).click();
      await expect(page.getByText("The browser doesn't let this site use the camera.")).toBeVisible();
    },
    "address-from-wallet": async ({ page }) => {
      await page.goto("/swap/deliveryaddress/add?addressType=ETH");
      await page.getByRole("button", { name: "Use my wallet's address" }).click();
      await expect(page.getByRole("button", { name: /^Connect .*test wallet/i })).toBeVisible();
    },
    "address-from-wallet-filled": async ({ page }) => {
      await page.getByRole("button", { name: /^Connect .*test wallet/i }).click();
      await page.getByRole("button", { name: /^Use 0x/ }).click();
      await expect(page.getByLabel("Address", { exact: true })).toHaveValue(/^0x/);
    },
    "address-refused-checksum": async ({ page, site }) => {
      const { address } = await getMobWallet(site);
      const swapped = address.slice(0, 20) + (address[20] === "a" ? "b" : "a") + address.slice(21);
      await refuse(page, "MOB", swapped, /checksum of this address is wrong/);
    },
    "address-refused-gift-code": ({ page }) => refuse(page, "MOB", giftCode, /This is a gift code/),
    "address-refused-payment-request": ({ page }) =>
      refuse(page, "MOB", makePaymentRequest(), /This is a payment request/),
    "address-refused-eip55": ({ page }) =>
      refuse(page, "ETH", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD", /capital letters were lost/),
    "address-refused-no-type": async ({ page }) => {
      await page.goto("/swap/deliveryaddress/add");
      await page.locator("form").evaluateAll((forms) => {
        for (const form of forms) if (form instanceof HTMLFormElement) form.noValidate = true;
      });
      await fillAddress(page, "0x1");
      await expect(page.getByText("Choose what the address is for.")).toBeVisible();
    },
    addresses: async ({ page, customer, site }) => {
      await customer.addAddress("MOB", (await getMobWallet(site)).address, "My Signal");
      await customer.addAddress("ETH", newEthAddress(), "Cold wallet, the one in the drawer at my parents' house");
      await customer.addAddress("ETH", newEthAddress());
      await page.goto("/swap/deliveryaddress/");
    },
    "addresses-filtered": ({ page }) => page.goto("/swap/deliveryaddress/?addressType=MOB"),
    "addresses-remove": async ({ page }) => {
      await page.goto("/swap/deliveryaddress/");
      await page.locator("summary", { hasText: "Remove" }).first().click();
    },
  },
});
