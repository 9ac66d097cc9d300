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
import { toBrowserColors } from "~/components/shell/browser-colors.server";
import { DocumentContext } from "~/components/shell/document-context";
import { documentLinks } from "~/components/shell/document-links";
import { InlineStyles } from "~/components/shell/inline-styles";
import { ExpectPageEnd } from "~/components/shell/page-end";
import { ThemeColors } from "~/components/shell/theme-colors";
import { useScripts } from "~/components/shell/use-scripts";
import { getConfig } from "~/config/config.server";
import { readCurrency } from "~/currency/currency.server";
import { readLocale } from "~/lib/read-locale.server";
import { readTheme, themeAttribute } from "~/lib/theme";
import type { RootData, SiteTerms } from "~/loaded-data/root-data";

export const links = documentLinks;

/** What every document needs. Contains nothing personal, so signed-out pages can be cached. */
export function loader({ request }: LoaderFunctionArgs) {
  const theme = themeAttribute(readTheme(request.headers.get("cookie")));
  return {
    theme,
    browserColors: toBrowserColors(theme),
    locale: readLocale(request.headers),
    isPlayMoney: getConfig().mode === "sandbox",
    hasSandbox: getConfig().hasSandbox,
    faucetMax: readFaucetMax(),
    terms: readTerms(),
    currency: readCurrency(request.headers),
  } satisfies RootData & { theme: unknown; browserColors: unknown };
}

function readFaucetMax(): RootData["faucetMax"] {
  const { hasSandbox, sandbox } = getConfig();
  return hasSandbox ? { ETH: sandbox.faucetMaxEth, USDT: sandbox.faucetMaxUsdt } : null;
}

function readTerms(): SiteTerms {
  const { supportEmail, codeTtlMs, decisionTtlMs, recoveryHoldMs, overpaidToleranceBps } = getConfig().exchange;
  return { supportEmail, codeTtlMs, decisionTtlMs, recoveryHoldMs, overpaidToleranceBps };
}

/** The data changes only with a full page load. */
export const shouldRevalidate: ShouldRevalidateFunction = () => false;

/** Only for an error of the root: every page has its own. */
export const meta: MetaFunction = () => [{ title: "Antelope" }];

export function Layout({ children }: { children: ReactNode }) {
  const { nonce, preview } = useContext(DocumentContext);
  const scripted = useScripts();
  // Undefined if this loader itself failed.
  const data = useRouteLoaderData<typeof loader>("root");
  return (
    <html lang="en" data-theme={data?.theme} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <ThemeColors scheme={data?.theme} colors={data?.browserColors} />
        <ExpectPageEnd />
        <Meta />
        <Links />
        <InlineStyles />
        {preview}
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

/** R18: the root failed. */
export function ErrorBoundary() {
  return <RootErrorScreen />;
}
