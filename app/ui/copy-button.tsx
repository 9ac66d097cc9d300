import { useEffect, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { Button } from "./button";
import * as styles from "./copy.css";
import { Icon } from "./icon";
import { LiveRegion } from "./live-region";
import { VisuallyHidden } from "./visually-hidden";

export type CopyButtonProps = {
  value: string;
  /** What is copied, for those who cannot see what stands beside it: "the address". */
  what: string;
  children?: string;
};

/** The text itself stands beside it, selectable: without scripts that is how it is copied. */
export function CopyButton({ value, what, children = "Copy" }: CopyButtonProps) {
  const ready = useHydrated();
  const [said, setSaid] = useState<"" | "Copied" | "Select it and copy">("");

  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(""), 2500);
    return () => clearTimeout(timer);
  }, [said]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setSaid("Copied");
    } catch {
      // Refused by the browser or not offered on this origin: the words beside it can still be selected.
      setSaid("Select it and copy");
    }
  }

  return (
    <>
      <Button type="button" size="small" className={ready ? undefined : styles.notYet} onClick={() => void copy()}>
        {said === "Copied" ? <Icon name="tick" /> : null}
        {said || children}
        <VisuallyHidden> {what}</VisuallyHidden>
      </Button>
      <LiveRegion>{said ? `${said}: ${what}` : ""}</LiveRegion>
    </>
  );
}
