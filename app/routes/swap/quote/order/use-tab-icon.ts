import { useEffect } from "react";

/** Shows the icon in the browser's tab while the page is open. Null shows the site's own icon. */
export function useTabIcon(icon: string | null): void {
  useEffect(() => {
    // Browsers without SVG icons keep the site's own.
    const link = document.querySelector('link[rel="icon"][type="image/svg+xml"]');
    const siteIcon = link?.getAttribute("href");
    if (!link || !siteIcon || !icon) return;
    link.setAttribute("href", icon);
    return () => link.setAttribute("href", siteIcon);
  }, [icon]);
}
