import { Form } from "@remix-run/react";
import type { DeliveryAddress } from "~/api/contract";
import { GroupedAddress } from "~/components/addresses/grouped-address";
import { DateTime } from "~/components/locale/date-time";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import { addressTypeNames } from "~/swaps/saved-address";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { CopyButton } from "~/ui/copy-button";
import { Disclosure } from "~/ui/disclosure";
import { Row, Stack } from "~/ui/layout";
import { VisuallyHidden } from "~/ui/visually-hidden";
import * as styles from "./delivery-addresses.css";

/** One saved address in full. Removing it takes two steps, with and without JavaScript. */
export function AddressRow({ address, action }: { address: DeliveryAddress; action: string }) {
  const isSending = useIsSending();
  const name = address.label === "" ? `${addressTypeNames[address.type]} address` : address.label;
  return (
    <li className={styles.row}>
      <Row justify="between">
        <span className={styles.name} dir="auto">
          {name}
        </span>
        <Badge plain>{addressTypeNames[address.type]}</Badge>
      </Row>
      <GroupedAddress address={address.address} />
      <Row justify="between">
        <span className={`${text.small} ${text.muted}`}>
          Saved <DateTime at={address.created_at} />
        </span>
        <CopyButton value={address.address} what={`the address ${name}`} />
      </Row>
      <Disclosure
        quiet
        summary={
          <>
            Remove<VisuallyHidden> the address {name}</VisuallyHidden>
          </>
        }
      >
        <Form method="post" action={action}>
          <input type="hidden" name="id" value={address.id} />
          <Stack gap={3} align="start">
            <p>This removes it from your list. Swaps in progress still use it, and you can add it again.</p>
            <Button
              kind="danger"
              name="intent"
              value="remove"
              pending={isSending({ intent: "remove", id: address.id }) && "Removing…"}
            >
              {/* One element, because the button puts a gap between its own. */}
              <span>
                Remove <bdi>{name}</bdi>
              </span>
            </Button>
          </Stack>
        </Form>
      </Disclosure>
    </li>
  );
}
