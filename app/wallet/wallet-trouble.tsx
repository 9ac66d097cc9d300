import { Note } from "~/ui/note";
import type { WalletErrorWords } from "./error-words";

/** E18 on the screen: what happened, whether the money is safe, what to do. A refusal of one's own is no alarm. */
export function WalletTroubleNote({ words }: { words: WalletErrorWords | null }) {
  if (!words) return null;
  return (
    <Note tone={words.trouble === "rejected" ? "waiting" : "danger"} title={words.title} live>
      <p>
        {words.money} {words.advice}
      </p>
    </Note>
  );
}
