import type { LinksFunction } from "@remix-run/node";
import figtree from "~/styles/fonts/figtree.woff2?url";
import youngSerif from "~/styles/fonts/young-serif.woff2?url";

const font = (href: string) =>
  ({ rel: "preload", href, as: "font", type: "font/woff2", crossOrigin: "anonymous" }) as const;

/** Preloads both fonts, and links the icons and the manifest. */
export const documentLinks: LinksFunction = () => [
  font(figtree),
  font(youngSerif),
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];
