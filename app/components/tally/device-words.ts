/**
 * A browser's User-Agent as words: "Firefox on Linux". It is what the device says of itself,
 * so it helps to recognise one's own and proves nothing.
 */
export function toDeviceWords(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === "") return "An unknown device";
  const browser = find(browsers, userAgent);
  const system = find(systems, userAgent);
  if (browser && system) return `${browser} on ${system}`;
  if (browser) return browser;
  return system ? `A browser on ${system}` : "A program, not a browser we know";
}

/** The more particular first: nearly all claim to be Safari, and many to be Chrome. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOPT\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];

const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, "an iPhone"],
  [/\biPad\b/, "an iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows NT\b/, "Windows"],
  [/\bMac OS X\b/, "a Mac"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

function find(known: readonly [RegExp, string][], text: string): string | null {
  return known.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
