import { Button } from "~/ui/button";
import { NeedsScripts } from "~/ui/needs-scripts";
import { Note } from "~/ui/note";
import type { News } from "./use-news";

/** Asked only once money is under way: somebody who waits may look elsewhere meanwhile. */
export function DoneNotice({ news: { wish, ask } }: { news: News }) {
  if (wish === "granted") return <Note tone="good">We tell you here when there is news. Keep this tab open.</Note>;
  if (wish === "refused")
    return <Note>Your browser shows no notifications from here. The page itself stays up to date.</Note>;
  return (
    <NeedsScripts>
      <Button type="button" kind="primary" size="large" full onClick={ask}>
        Tell me when it is done
      </Button>
    </NeedsScripts>
  );
}
