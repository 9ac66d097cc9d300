import { useEffect, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { Button } from "./button";
import * as styles from "./copy.css";
import { Icon } from "./icon";
import { LiveRegion } from "./live-region";
import { VisuallyHidden } from "./visually-hidden";

export type CopyButtonProps = {
  value: string;
  /** Describes `value` to screen readers: "the address". */
  what: string;
  children?: string;
};

/** Show it next to the value as selectable text, which people without JavaScript copy by hand. */
export function CopyButton({ value, what, children = "Copy" }: CopyButtonProps) {
  const hydrated = useHydrated();
  const [status, setStatus] = useState<"" | "Copied" | "Select to copy">("");

  useEffect(() => {
    if (!status) return;
    const timer = setTimeout(() => setStatus(""), 2500);
    return () => clearTimeout(timer);
  }, [status]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setStatus("Copied");
    } catch {
      // The clipboard is blocked or unavailable, but the text can still be selected.
      setStatus("Select to copy");
    }
  }

  return (
    <>
      <Button
        type="button"
        size="small"
        className={hydrated ? undefined : styles.hiddenUntilHydrated}
        onClick={() => void copy()}
      >
        {status === "Copied" ? <Icon name="tick" /> : null}
        <span>{status || children}</span>
        <VisuallyHidden> {what}</VisuallyHidden>
      </Button>
      <LiveRegion>{status ? `${status}: ${what}` : ""}</LiveRegion>
    </>
  );
}
