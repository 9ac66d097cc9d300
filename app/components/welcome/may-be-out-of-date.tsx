import { Note } from "~/ui/note";

/** Signal's own article; its words win over ours. */
export const signalHelp = "https://support.signal.org/hc/articles/360057625692";

export function MayBeOutOfDate() {
  return (
    <Note tone="waiting" title="Where this page may be out of date">
      <p>
        Signal changes its screens without telling us. We wrote this in 2026, from Signal for Android; on an iPhone the
        words are close. The company behind MobileCoin now calls itself Sentz: where you read Sentz, the coin is still
        MOB. When in doubt, <a href={signalHelp}>Signal's own help page</a> is right.
      </p>
    </Note>
  );
}
