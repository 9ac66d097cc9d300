import { describe, expect, it } from "vitest";
import { toDeviceLabel } from "~/routes/doger/account/device-label";

const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit";
const windows =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

describe("toDeviceLabel", () => {
  it.each([
    [`${mac}/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15`, "Safari on a Mac"],
    [windows, "Chrome on Windows"],
    [`${windows} Edg/140.0.0.0`, "Edge on Windows"],
    [`${windows} OPR/120.0.0.0`, "Opera on Windows"],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
      "Safari on an iPhone",
    ],
    [
      "Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
      "Samsung Internet on Android",
    ],
    ["curl/8.5.0", "Unknown browser"],
    ["", "Unknown device"],
    [null, "Unknown device"],
  ])("labels %s as %s", (userAgent, label) => expect(toDeviceLabel(userAgent)).toBe(label));
});
