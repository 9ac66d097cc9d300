import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { encodeQR } from "qr";
import { chromiumFlags, getChromium } from "../support/chromium";
import vectors from "../vectors/mobilecoin-addresses.json" with { type: "json" };
import { waitUntilReady } from "./support/appearances";
import { signUp } from "./support/customers";
import { expect, test } from "./support/test";

const eth = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const token = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const mob = vectors.valid_without_fog[0]?.b58 ?? "";

/** One frame of a YUV4MPEG2 film: dark modules in the middle of a grey picture. */
function drawFrame(text: string, width: number, height: number): Buffer {
  const modules = encodeQR(text, "raw", { ecc: "medium", border: 4 });
  const count = modules.length;
  const scale = Math.floor(height / (count + 2));
  const [left, top] = [width, height].map((side) => Math.floor((side - count * scale) / 2)) as [number, number];
  const luma = Buffer.alloc(width * height, 200);
  for (let y = 0; y < count * scale; y++) {
    for (let x = 0; x < count * scale; x++) {
      if (modules[Math.floor(y / scale)]?.[Math.floor(x / scale)]) luma[(top + y) * width + left + x] = 30;
    }
  }
  return Buffer.concat([Buffer.from("FRAME\n"), luma, Buffer.alloc((width * height) / 2, 128)]);
}

/** The camera sees the two codes alternately, so each address field also gets a code of the other kind. */
const film = join(tmpdir(), `antelope-scan-${process.pid}.y4m`);
writeFileSync(
  film,
  Buffer.concat([
    Buffer.from("YUV4MPEG2 W640 H480 F2:1 Ip A1:1 C420jpeg\n"),
    drawFrame(`ethereum:${token}@1/transfer?address=${eth}&uint256=25500000`, 640, 480),
    drawFrame(`mob:///b58/${mob}`, 640, 480),
  ]),
);
test.afterAll(() => rmSync(film, { force: true }));

// The headless shell cannot open a camera.
test.use({
  launchOptions: {
    executablePath: await getChromium(),
    args: [...chromiumFlags, `--use-file-for-fake-video-capture=${film}`],
  },
});

/** Remembers the camera's streams, to see whether they were stopped. */
async function watchCamera(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const streams: MediaStream[] = [];
    Object.assign(window, { streams });
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints);
      streams.push(stream);
      return stream;
    };
  });
  return () =>
    page.evaluate(() =>
      (window as unknown as { streams: MediaStream[] }).streams
        .flatMap((stream) => stream.getTracks())
        .map(({ readyState }) => readyState),
    );
}

const scan = (page: Page) => page.getByRole("button", { name: "Scan a QR code" });
const dialog = (page: Page) => page.getByRole("dialog", { name: "Scan a QR code" });
const field = (page: Page) => page.getByLabel("Address", { exact: true });

test("T79 fills in the address from a code, and stops the camera", async ({ page, site, context }) => {
  await signUp(page, site);
  await context.grantPermissions(["camera"], { origin: site.origin });
  const readTracks = await watchCamera(page);
  for (const { type, address } of [
    { type: "ETH", address: eth },
    { type: "MOB", address: mob },
  ]) {
    await page.goto(`/swap/deliveryaddress/add?addressType=${type}`);
    await scan(page).click();
    await expect(field(page)).toHaveValue(address);
    await expect(field(page)).toBeFocused();
    await expect(dialog(page)).toHaveCount(0);
    expect(await readTracks()).toEqual(["ended"]);
  }
  await page.getByRole("button", { name: "Save this address" }).click();
  await expect(page.getByRole("heading", { name: "Your addresses" })).toBeVisible();

  // The swap form's fields have the same button.
  await page.goto("/swap/mob-to-usdt");
  const target = page.getByLabel(/^Where your USDT goes/);
  await scan(page).first().click();
  await expect(target).toHaveValue(eth);
});

test("T79 keeps the focus in the dialog, and stops the camera when it is closed", async ({ page, site, context }) => {
  await signUp(page, site);
  await context.grantPermissions(["camera"], { origin: site.origin });
  const readTracks = await watchCamera(page);
  // The scanner gets blank pictures, so it finds no address and stays open.
  await page.addInitScript(() => {
    CanvasRenderingContext2D.prototype.drawImage = () => undefined;
  });
  await page.goto("/swap/deliveryaddress/add?addressType=ETH");
  await scan(page).click();
  await expect(dialog(page)).toBeVisible();
  await expect.poll(readTracks).toEqual(["live"]);
  for (let presses = 0; presses < 3; presses++) {
    await page.keyboard.press("Tab");
    const isOutside = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement !== document.body && activeElement?.closest("dialog") === null;
    });
    expect(isOutside).toBe(false);
  }
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(scan(page)).toBeFocused();
  await expect.poll(readTracks).toEqual(["ended"]);
});

test("explains what to do if the camera is not allowed", async ({ page, site }) => {
  await signUp(page, site);
  await page.goto("/swap/deliveryaddress/add?addressType=MOB");
  await scan(page).click();
  await expect(page.getByText("Allow it in the browser's settings for this site")).toBeVisible();
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await field(page).fill(mob);
});

test("T79 does not let other sites use the camera through ours", async ({ page, site, context }) => {
  const response = await page.goto("/login");
  expect(response?.headers()["permissions-policy"]).toContain("camera=(self)");
  expect(response?.headers()["permissions-policy"]).toContain("microphone=()");
  // The scanner is not part of a first page, or of a page that has not opened it.
  const listScripts = () =>
    page.evaluate(() => {
      const names = performance.getEntriesByType("resource").map(({ name }) => name);
      return names.filter((name) => name.endsWith(".js"));
    });
  await waitUntilReady(page);
  const first = await listScripts();
  expect(first).not.toEqual([]);
  await signUp(page, site);
  await context.grantPermissions(["camera"], { origin: site.origin });
  await page.goto("/swap/deliveryaddress/add?addressType=ETH");
  await waitUntilReady(page);
  const closed = await listScripts();
  await scan(page).click();
  await expect(field(page)).toHaveValue(eth);
  const scanner = (await listScripts()).filter((name) => !closed.includes(name));
  expect(scanner).not.toEqual([]);
  expect(first.filter((name) => scanner.includes(name))).toEqual([]);
});
