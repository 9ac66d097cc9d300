import { useMatches } from "@remix-run/react";
import { useHydrated } from "remix-utils/use-hydrated";

/** What a route that needs no script exports as its `handle`: its document then carries none of React's. */
export const withoutScripts = { scripts: false } as const;

/** Whether the document carries scripts. Where they run already (a navigation from another page) they stay. */
export function useScripts(): boolean {
  const hydrated = useHydrated();
  const matches = useMatches();
  return hydrated || !matches.some(({ handle }) => isWithoutScripts(handle));
}

function isWithoutScripts(handle: unknown): boolean {
  return typeof handle === "object" && handle !== null && "scripts" in handle && handle.scripts === false;
}
