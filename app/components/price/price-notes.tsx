import { paths } from "~/lib/paths";
import { Note } from "~/ui/note";

/** Why the button that requests a price is disabled: no rate is available. */
export function NoPriceNote() {
  return (
    <Note tone="waiting" live>
      We can't get a reliable price right now. This page keeps checking automatically.
    </Note>
  );
}

/**
 * Tells the visitor, before they type anything, that new swaps are paused. @param reason in words; null if they are not
 */
export function PauseNote({ reason }: { reason: string | null }) {
  if (reason === null) return null;
  return (
    <Note tone="waiting" title="You can't start a new swap right now">
      <p>
        {reason}. Swaps in progress continue. <a href={paths.status}>Check the status</a>
      </p>
    </Note>
  );
}
