import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useLocation, useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import type { User } from "~/api/contract";
import { ErrorScreen } from "~/components/errors/error-screen";
import { LoadingScreen } from "~/components/loading/loading-screen";
import { useSlowNavigation } from "~/components/loading/use-slow-navigation";
import type { NavKey } from "~/components/shell/navigation";
import { PageShell } from "~/components/shell/page-shell";
import { useRouteFocus } from "~/components/shell/use-route-focus";
import type { loader as rootLoader } from "~/root";
import { throughCache } from "~/session/client-cache";
import { type LayoutData, layoutRouteId } from "~/session/layout-data";
import { useRouteContext } from "~/session/route-context";
import { getScope } from "~/session/scope.server";
import { whenItMayHaveChanged } from "~/session/should-revalidate";
import { useSessionUpkeep } from "~/session/use-session-upkeep";
import { toUserErrorText } from "~/session/user-error";
import * as styles from "./layout.css";
import { SignOut } from "./sign-out";

/**
 * R21: who is here, for every screen of the layout. A failure of the call is no failure of
 * the page: public screens show without it, and guards raise it where a user is needed.
 */
export async function loader(args: LoaderFunctionArgs): Promise<LayoutData> {
  const scope = await getScope(args);
  let user: User | null = null;
  let account: User | null = null;
  let userError: string | null = null;
  try {
    user = await scope.getUser();
    account = await scope.getAccount();
  } catch (error) {
    userError = toUserErrorText(error);
  }
  const auth = scope.isPasskeyAuthenticated ? "passkey" : scope.isSignedIn ? "signed-in" : "signed-out";
  return { auth, user, userError, email: account?.email ?? null };
}

export const clientLoader = throughCache(layoutRouteId, "user");

export const shouldRevalidate = whenItMayHaveChanged;

export default function SiteLayout() {
  const { auth } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const slow = useSlowNavigation(pathname);
  useSessionUpkeep(auth);
  useRouteFocus();
  return (
    <Shell>
      {/* The page stays mounted, so that nothing typed is lost where the navigation fails. */}
      {slow ? <LoadingScreen /> : null}
      <div hidden={slow} className={styles.page}>
        <Outlet />
      </div>
    </Shell>
  );
}

/** R19, R20: a route's failure, in the frame that the visitor knows. */
export function ErrorBoundary() {
  return (
    <Shell>
      <ErrorScreen />
    </Shell>
  );
}

function Shell({ children }: { children: ReactNode }) {
  const { email } = useRouteContext();
  const root = useRouteLoaderData<typeof rootLoader>("root");
  const { pathname } = useLocation();
  return (
    <PageShell
      user={email === null ? null : { email }}
      current={toNavKey(pathname)}
      sandbox={root?.sandbox}
      signOut={<SignOut />}
    >
      {children}
    </PageShell>
  );
}

function toNavKey(pathname: string): NavKey | undefined {
  if (pathname.startsWith("/swap/deliveryaddress")) return "addresses";
  if (pathname.startsWith("/swap")) return "swap";
  if (pathname.startsWith("/doger")) return "tally";
  if (pathname.startsWith("/welcome")) return "help";
  return undefined;
}
