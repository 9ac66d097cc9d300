import { GroupedAddress } from "~/components/addresses/grouped-address";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { type AddressName, type AddressOptions, addressTypeNames } from "~/swaps/saved-address";
import { Button } from "~/ui/button";
import { Disclosure } from "~/ui/disclosure";
import { Row, Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { RadioCards } from "~/ui/radio-cards";
import { VisuallyHidden } from "~/ui/visually-hidden";

type Props = AddressOptions & {
  label: string;
  hint?: string;
  name: AddressName;
  error?: string | undefined;
  /** Shown if there is no saved address to choose. */
  none: string;
};

const visibleOptions = 3;

/** Chooses one of the saved addresses. Each is shown in full, because this is where the money goes. */
export function AddressChoice({ label, hint, name, addresses, chosen, error, none }: Props) {
  if (addresses.length === 0) {
    return (
      <Note tone="waiting" title={none}>
        {error ? <p>Add one to lock the price.</p> : null}
        <Row>
          <AddButton name={name}>Add an address</AddButton>
        </Row>
      </Note>
    );
  }
  const first = addresses.find(({ id }) => id === chosen);
  const sorted = first ? [first, ...addresses.filter((address) => address !== first)] : addresses;
  const options = sorted.map(({ id, label: own, type, address }) => ({
    value: id,
    label: own === "" ? `${addressTypeNames[type]} address` : <bdi>{own}</bdi>,
    detail: <GroupedAddress address={address} />,
  }));
  const others = options.slice(visibleOptions);
  return (
    <Stack gap={2}>
      <RadioCards
        label={label}
        hint={hint}
        name={name}
        options={options.slice(0, visibleOptions)}
        defaultValue={chosen ?? undefined}
        error={error}
      />
      {others.length > 0 ? (
        <Disclosure summary={`${others.length} more`}>
          <RadioCards label="Other saved addresses" name={name} options={others} />
        </Disclosure>
      ) : null}
      <Row>
        <AddButton name={name}>Add another</AddButton>
      </Row>
    </Stack>
  );
}

function AddButton({ name, children }: { name: AddressName; children: string }) {
  const intent = `add-${name}`;
  const isSending = useIsSending();
  return (
    <Button size="small" name="intent" value={intent} formNoValidate pending={isSending({ intent }) && "Opening…"}>
      {children}
      <VisuallyHidden> {name === "refund" ? "for refunds" : "for the payout"}</VisuallyHidden>
    </Button>
  );
}
