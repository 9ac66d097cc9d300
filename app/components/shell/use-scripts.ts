import { useMatches } from "@remix-run/react";
import { useHydrated } from "remix-utils/use-hydrated";

/** The `handle` of a route that works without React: its document then loads no React scripts. */
export const withoutScripts = { scripts: false } as const;

/** Whether to load scripts in this document. After hydration, scripts are already running and stay loaded. */
export function useScripts(): boolean {
  const hydrated = useHydrated();
  const matches = useMatches();
  return hydrated || !matches.some(({ handle }) => isWithoutScripts(handle));
}

/** Whether a route's `handle` says that its document has no React scripts. */
export function isWithoutScripts(handle: unknown): boolean {
  return typeof handle === "object" && handle !== null && "scripts" in handle && handle.scripts === false;
}
