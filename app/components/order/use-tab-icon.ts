import { useEffect } from "react";

/** Shows this icon in the browser's tab for as long as the page is open; null: the site's own. */
export function useTabIcon(icon: string | null): void {
  useEffect(() => {
    // Browsers that take no SVG keep the one icon they know.
    const link = document.querySelector('link[rel="icon"][type="image/svg+xml"]');
    const plain = link?.getAttribute("href");
    if (!link || !plain || !icon) return;
    link.setAttribute("href", icon);
    return () => link.setAttribute("href", plain);
  }, [icon]);
}
