import { Note } from "~/ui/note";
import type { WalletErrorMessage } from "./error-messages";

/** E18: what happened, whether the money is safe, what to do. Declining a request is not shown as an error. */
export function WalletErrorNote({ message }: { message: WalletErrorMessage | null }) {
  if (!message) return null;
  return (
    <Note tone={message.kind === "rejected" ? "waiting" : "danger"} title={message.title} live>
      <p>
        {message.money} {message.advice}
      </p>
    </Note>
  );
}
