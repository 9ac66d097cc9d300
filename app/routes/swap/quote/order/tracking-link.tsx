import { Form } from "@remix-run/react";
import { useState } from "react";
import type { Order } from "~/api/contract";
import { DateTime } from "~/components/locale/date-time";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { Button } from "~/ui/button";
import { CopyField } from "~/ui/copy-field";
import { Disclosure } from "~/ui/disclosure";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";

type Props = {
  order: Order;
  action: string;
  /** The link that was just created. It cannot be shown again. */
  link: string | undefined;
};

/** Creates a link with which others can follow the swap, and turns it off again. */
export function TrackingLink({ order, action, link }: Props) {
  const isSending = useIsSending();
  const since = order.tracked_since ?? null;
  const isShared = link !== undefined || since !== null;
  const [wasShared, setWasShared] = useState(isShared);
  if (isShared && !wasShared) setWasShared(true);
  return (
    <>
      <LiveRegion>
        {link === undefined ? !isShared && wasShared && "The link has been turned off." : "The link is ready to copy."}
      </LiveRegion>
      <Disclosure summary="Share a link to follow this swap" open={link !== undefined}>
        <Stack gap={3}>
          <p>
            Anyone with the link can see the status, amounts, confirmations and times of this swap. They can't see any
            address or anything about you, and they can't change anything.
          </p>
          {link === undefined ? null : (
            <>
              <CopyField label="Link to follow this swap" value={link} isLong what="the link" />
              <p>Copy it now: we can't show it again.</p>
            </>
          )}
          {link === undefined && since !== null ? (
            <p>
              You created a link on <DateTime at={since} />. We can't show it again. A new link replaces it.
            </p>
          ) : null}
          {isShared ? <p>A link that is turned off or replaced never works again.</p> : null}
          <Form method="post" action={action} preventScrollReset>
            <input type="hidden" name="order" value={order.id} />
            <Row gap={2}>
              {link === undefined ? (
                <Button name="intent" value="share" pending={isSending({ intent: "share" }) && "Creating the link…"}>
                  {isShared ? "Create a new link" : "Create a link"}
                </Button>
              ) : null}
              {isShared ? (
                <Button
                  kind="danger"
                  name="intent"
                  value="unshare"
                  pending={isSending({ intent: "unshare" }) && "Turning it off…"}
                >
                  Turn off the link
                </Button>
              ) : null}
            </Row>
          </Form>
        </Stack>
      </Disclosure>
    </>
  );
}
