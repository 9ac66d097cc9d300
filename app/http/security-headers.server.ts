import type { Config } from "../config.server";

/** What the headers depend on. `development` lets Vite inject its styles and reach its socket. */
export type HeaderPolicy = Pick<Config, "secure" | "walletRpcOrigins"> & { development?: boolean };

const permissions = [
  "accelerometer=()",
  "browsing-topics=()",
  "camera=()",
  "display-capture=()",
  "geolocation=()",
  "gyroscope=()",
  "microphone=()",
  "payment=()",
  "usb=()",
  "clipboard-write=(self)",
  "publickey-credentials-create=(self)",
  "publickey-credentials-get=(self)",
].join(", ");

/**
 * The headers of every response of the site (T8, T9). `nonce` is for a document with inline
 * scripts: a new one each response; without one no inline script runs.
 */
export function toSecurityHeaders(policy: HeaderPolicy, nonce?: string): Record<string, string> {
  return {
    "Content-Security-Policy": toContentSecurityPolicy(policy, nonce),
    "X-Content-Type-Options": "nosniff",
    // `no-referrer` would make forms post `Origin: null`.
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
  };
  return Object.entries(sources)
    .map(([name, values]) => `${name} ${values.join(" ")}`)
    .join("; ");
}
