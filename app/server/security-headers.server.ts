import type { Config } from "../config/config.server";

/** `development` allows Vite's injected styles, its WebSocket and its markup. */
export type HeaderPolicy = Pick<Config, "secure" | "walletRpcOrigins"> & { development?: boolean };

const permissions = [
  "accelerometer=()",
  "browsing-topics=()",
  "display-capture=()",
  "geolocation=()",
  "gyroscope=()",
  "microphone=()",
  "payment=()",
  "usb=()",
  // To scan the QR code of an address (T79).
  "camera=(self)",
  "clipboard-write=(self)",
  "publickey-credentials-create=(self)",
  "publickey-credentials-get=(self)",
].join(", ");

/**
 * The security headers of every response (T8, T9). A document with React passes a `nonce`, new for each response,
 * for Remix's inline scripts. Without a nonce, inline scripts don't run and strings can't become markup.
 */
export function toSecurityHeaders(policy: HeaderPolicy, nonce?: string): Record<string, string> {
  return {
    "Content-Security-Policy": toContentSecurityPolicy(policy, nonce),
    "X-Content-Type-Options": "nosniff",
    // With `no-referrer`, forms would send `Origin: null`.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": permissions,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    ...(policy.secure && { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" }),
  };
}

function toContentSecurityPolicy(policy: HeaderPolicy, nonce: string | undefined): string {
  const sources = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...(nonce ? [`'nonce-${nonce}'`] : [])],
    "style-src": ["'self'", ...(policy.development ? ["'unsafe-inline'"] : [])],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'", ...policy.walletRpcOrigins, ...(policy.development ? ["ws:"] : [])],
    "manifest-src": ["'self'"],
    "worker-src": ["'self'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
    "base-uri": ["'none'"],
    "object-src": ["'none'"],
    // browser/trusted-types.ts has the default policy.
    ...(!policy.development && {
      "require-trusted-types-for": ["'script'"],
      "trusted-types": [nonce ? "default" : "'none'"],
    }),
  };
  return Object.entries(sources)
    .map(([name, values]) => `${name} ${values.join(" ")}`)
    .join("; ");
}
