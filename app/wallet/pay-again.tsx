import type { ReactNode } from "react";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";

type Props = {
  tone: "waiting" | "danger";
  title: string;
  live?: boolean;
  children: ReactNode;
  /** Starts another payment. Null if it is too late to pay. */
  onPayAgain: (() => void) | null;
};

/** What has become of a payment, and a button to make another one. */
export function PayAgain({ tone, title, live = false, children, onPayAgain }: Props) {
  return (
    <Stack gap={3}>
      <Note tone={tone} title={title} live={live}>
        {children}
      </Note>
      {onPayAgain ? (
        <Button type="button" onClick={onPayAgain}>
          Pay again
        </Button>
      ) : null}
    </Stack>
  );
}
