import type { LoaderFunctionArgs } from "@remix-run/node";
import { type ClientLoaderFunctionArgs, Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import type { User } from "~/api/contract";
import { useSessionUpkeep } from "~/browser/use-session-upkeep";
import { storeVisited } from "~/browser/visited";
import type { NavKey } from "~/components/shell/navigation";
import { PageShell } from "~/components/shell/page-shell";
import { type LayoutData, layoutRouteId } from "~/loaded-data/layout-data";
import { useRouteContext } from "~/loaded-data/route-context";
import { cachedLoader } from "~/query-cache/cached-loader";
import { getShown } from "~/query-cache/remix-router";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { getScope } from "~/session/scope.server";
import { toUserErrorText } from "~/session/user-error.server";
import { LiveRegion } from "~/ui/live-region";
import { ErrorScreen, errorMeta } from "./error-screen";
import * as styles from "./layout.css";
import { LoadingScreen } from "./loading-screen";
import { SignOut } from "./sign-out";
import { useRouteFocus } from "./use-route-focus";
import { useSlowNavigation } from "./use-slow-navigation";

/**
 * R21: the current user, for every screen of the layout. If the call fails, public screens still render; guards
 * throw the error on screens that need a user.
 */
export async function loader(args: LoaderFunctionArgs): Promise<LayoutData> {
  const scope = await getScope(args);
  let passkeyUser: User | null = null;
  let user: User | null = null;
  let userError: string | null = null;
  try {
    passkeyUser = await scope.getPasskeyUser();
    user = await scope.getUser();
  } catch (error) {
    userError = toUserErrorText(error);
  }
  const auth = scope.isPasskeyAuthenticated ? "passkey" : scope.isSignedIn ? "signed-in" : "signed-out";
  return { auth, user: passkeyUser, userError, email: user?.email ?? null };
}

/** The user is the same on every page. If the call failed, the data has an error instead. */
const loadCached = cachedLoader(layoutRouteId, ["user"], {
  isSameEverywhere: true,
  isComplete: (data) => Boolean(data) && !(data as LayoutData).userError,
});

/**
 * Keeps the user that the page shows if the session continues but the call fails: the header must not look signed out.
 */
export async function clientLoader(args: ClientLoaderFunctionArgs) {
  const data = (await loadCached(args)) as LayoutData;
  if (!data.userError) return data;
  const shown = getShown().loaderData[layoutRouteId] as LayoutData | undefined;
  return data.auth === shown?.auth ? shown : data;
}

export const shouldRevalidate = revalidationPolicy;

export default function SiteLayout() {
  const { auth, email } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const slow = useSlowNavigation(pathname);
  useSessionUpkeep(auth, email);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page that was opened may have set the cookie.
  useEffect(storeVisited, [pathname]);
  return (
    <Shell>
      {/* The page stays mounted, so that typed values survive an abandoned navigation. */}
      {slow ? (
        <div className={styles.loading}>
          <LoadingScreen />
        </div>
      ) : null}
      <LiveRegion>{slow ? "Loading" : null}</LiveRegion>
      <div className={slow ? styles.hiddenPage : styles.page}>
        <Outlet />
      </div>
    </Shell>
  );
}

export const meta = errorMeta;

/** R19, R20: an error in a route, shown inside the layout. */
export function ErrorBoundary() {
  return (
    <Shell>
      <ErrorScreen />
    </Shell>
  );
}

function Shell({ children }: { children: ReactNode }) {
  useRouteFocus();
  const { email } = useRouteContext();
  const { pathname } = useLocation();
  return (
    <PageShell user={email === null ? null : { email }} current={toNavKey(pathname)} signOut={<SignOut />}>
      {children}
    </PageShell>
  );
}

function toNavKey(pathname: string): NavKey | undefined {
  if (pathname.startsWith("/swap/deliveryaddress")) return "addresses";
  if (pathname.startsWith("/swap")) return "swap";
  if (pathname.startsWith("/doger")) return "activity";
  if (/^\/(?:welcome|help|contact)\b/.test(pathname)) return "help";
  return undefined;
}
