import { useState } from "react";
import type { Refused } from "~/lib/form-result";
import { Note } from "~/ui/note";

/** Why a form was refused and what to do about it, announced to screen readers. */
export function RefusalNote({ result }: { result: Pick<Refused, "error" | "hint"> | undefined }) {
  // A new note for each result, because screen readers would not announce the same text again.
  const [last, setLast] = useState({ result, count: 0 });
  if (last.result !== result) setLast({ result, count: last.count + 1 });
  if (!result?.error) return null;
  return (
    <Note key={last.count} tone="danger" title={result.error} live>
      {result.hint ? <p>{result.hint}</p> : null}
    </Note>
  );
}
