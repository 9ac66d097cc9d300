import { useState } from "react";

/** At the end of the head: the styles inlined in a stored page (server/inline-styles.server.ts). */
export function InlineStyles() {
  const [styles] = useState(readStyles);
  return styles ? <style>{styles}</style> : null;
}

function readStyles(): string | null | undefined {
  if (typeof document === "undefined") return null;
  return document.querySelector("[data-inline]")?.textContent;
}
