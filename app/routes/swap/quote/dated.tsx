import type { ReactNode } from "react";
import { DateTime } from "~/components/locale/date-time";
import { Note } from "~/ui/note";

export type DatedProps = { title: string; prefix: "On" | "Until"; at: string; children: ReactNode };

/**
 * A note about a time that e-mails give in UTC, so the time zone is shown here. The time has its own line, because its
 * length changes once it is in the visitor's time zone.
 */
export function Dated({ title, prefix, at, children }: DatedProps) {
  return (
    <Note tone="waiting" title={title}>
      <p>
        {prefix} <DateTime at={at} show="day-time-and-zone" />.
      </p>
      <p>{children}</p>
    </Note>
  );
}
