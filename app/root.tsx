import "~/styles/base";
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunction,
  useRouteLoaderData,
} from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import { RootErrorScreen } from "~/components/errors/root-error-screen";
import { documentLinks } from "~/components/shell/document-links";
import { ExpectPageEnd } from "~/components/shell/page-end";
import { ThemeColors } from "~/components/shell/theme-colors";
import { readTheme, themeAttribute } from "~/components/shell/theme-preference";
import { useScripts } from "~/components/shell/use-scripts";
import { getConfig } from "~/config.server";
import { NonceContext } from "~/http/nonce";
import { readLocale } from "~/lib/locale";

export const links = documentLinks;

/** What every document needs to know before it is drawn; nothing of the person. */
export function loader({ request }: LoaderFunctionArgs) {
  return {
    theme: themeAttribute(readTheme(request.headers.get("cookie"))),
    locale: readLocale(request.headers),
    sandbox: getConfig().mode === "sandbox",
  };
}

/** It changes only with a reload. */
export const shouldRevalidate: ShouldRevalidateFunction = () => false;

export const meta: MetaFunction = () => [
  { title: "Antelope" },
  { name: "description", content: "Swap USDT and MOB: one price, locked while you pay, delivered to your own wallet." },
];

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  const scripted = useScripts();
  // Absent in the document of a failure of this very loader.
  const data = useRouteLoaderData<typeof loader>("root");
  return (
    <html lang="en" data-theme={data?.theme} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <ThemeColors />
        <ExpectPageEnd />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        {scripted ? (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        ) : null}
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

/** R18: a failure of the root. */
export function ErrorBoundary() {
  return <RootErrorScreen />;
}
