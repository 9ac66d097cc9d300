import { Link } from "@remix-run/react";
import type { DeletionBlocker } from "~/api/contract";
import { DateTime } from "~/components/locale/date-time";
import { paths } from "~/lib/paths";
import { Note } from "~/ui/note";
import * as styles from "./delete.css";

/** Why the account cannot be deleted yet, and what to do about it. */
export function DeletionBlockersNote({ obstacles }: { obstacles: readonly DeletionBlocker[] }) {
  return (
    <Note tone="waiting" title="You can't delete your account yet">
      <ul className={styles.list}>
        {obstacles.map((obstacle) =>
          obstacle.reason === "open_swap" ? (
            <li key={obstacle.quote_id}>
              Swap <Link to={paths.quote(obstacle.quote_id)}>{obstacle.order_number}</Link> is open, or money for it is
              on its way. Finish or cancel it, or wait until the money has arrived.
            </li>
          ) : (
            <li key={obstacle.reason}>
              Your account was recovered with an e-mail code. In case that wasn't you, it can only be deleted after{" "}
              <DateTime at={obstacle.until} />.
            </li>
          ),
        )}
      </ul>
    </Note>
  );
}
