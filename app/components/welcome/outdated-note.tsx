import { Note } from "~/ui/note";

/** Signal's own article about payments. */
export const signalHelp = "https://support.signal.org/hc/articles/360057625692";

export function OutdatedNote() {
  return (
    <Note tone="waiting" title="This page may be out of date">
      <p>
        Signal can change its app at any time. We wrote this in 2026, based on Signal for Android; the iPhone app uses
        similar wording. The company behind MobileCoin is now called Sentz, but the coin is still MOB. If in doubt,
        follow <a href={signalHelp}>Signal's own help page</a>.
      </p>
    </Note>
  );
}
