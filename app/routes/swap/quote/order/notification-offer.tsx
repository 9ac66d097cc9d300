import { Button } from "~/ui/button";
import { FocusKeeper } from "~/ui/focus-keeper";
import { NeedsScripts } from "~/ui/needs-scripts";
import { Note } from "~/ui/note";
import type { NotificationState } from "./use-notifications";

type Props = {
  notifications: NotificationState;
  /** The page also asks for a payment, whose button is the primary one. */
  isSecondary?: boolean;
};

/** Offers a browser notification while a swap is in progress, so that the visitor can do something else. */
export function NotificationOffer({ notifications, isSecondary }: Props) {
  return (
    <FocusKeeper label="Notifications">
      <Offer {...notifications} kind={isSecondary ? "secondary" : "primary"} />
    </FocusKeeper>
  );
}

function Offer({ permission, isPushed, request, kind }: NotificationState & { kind: "primary" | "secondary" }) {
  if (permission === "granted") {
    return (
      <Note tone="good">
        We'll notify you when it's done or needs a decision.{" "}
        {isPushed
          ? "You can close this tab. Notifications end when you sign out, or several hours after you signed in. If we need a decision, we e-mail you, too."
          : "Keep this tab open."}
      </Note>
    );
  }
  if (permission === "denied") {
    return <Note>Your browser doesn't allow notifications from this site. This page still updates automatically.</Note>;
  }
  return (
    <NeedsScripts>
      <Button type="button" kind={kind} size="large" full onClick={request}>
        Notify me when it's done
      </Button>
    </NeedsScripts>
  );
}
