import { useSyncExternalStore } from "react";

/** Whether the page is visible, and not in a tab in the background. */
export const isPageVisible = (): boolean => document.visibilityState === "visible";

/** Calls `onChange` whenever the page becomes visible or hidden. @returns a function that stops this */
export function onVisibilityChange(onChange: () => void): () => void {
  document.addEventListener("visibilitychange", onChange);
  return () => document.removeEventListener("visibilitychange", onChange);
}

/** Whether the page is visible; true on the server. */
export function useVisible(): boolean {
  return useSyncExternalStore(onVisibilityChange, isPageVisible, () => true);
}
