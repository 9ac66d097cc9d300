import { Button } from "~/ui/button";
import { Disclosure } from "~/ui/disclosure";
import { Row, Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { RadioCards } from "~/ui/radio-cards";
import { GroupedAddress } from "./grouped-address";
import { addressTypeNames, type SavedAddress } from "./saved-address";

type Props = {
  label: string;
  hint?: string;
  name: "delivery" | "refund";
  addresses: readonly SavedAddress[];
  chosen: string | null;
  error?: string | undefined;
  /** Why one is needed, where none is saved yet. */
  none: string;
};

const shownAtOnce = 3;

/** One of the saved addresses, each shown whole: this is where the money goes. */
export function AddressChoice({ label, hint, name, addresses, chosen, error, none }: Props) {
  if (addresses.length === 0) {
    return (
      <Note tone="waiting" title={none}>
        {error ? <p>The price can be locked once it is known.</p> : null}
        <Row>
          <Button size="small" name="intent" value={`add-${name}`} formNoValidate>
            Add an address
          </Button>
        </Row>
      </Note>
    );
  }
  const first = addresses.find(({ id }) => id === chosen);
  const sorted = first ? [first, ...addresses.filter((address) => address !== first)] : addresses;
  const options = sorted.map(({ id, label: own, type, address }) => ({
    value: id,
    label: own === "" ? `${addressTypeNames[type]} address` : own,
    detail: <GroupedAddress address={address} />,
  }));
  const others = options.slice(shownAtOnce);
  return (
    <Stack gap={2}>
      <RadioCards
        label={label}
        hint={hint}
        name={name}
        options={options.slice(0, shownAtOnce)}
        defaultValue={chosen ?? undefined}
        error={error}
      />
      {others.length > 0 ? (
        <Disclosure summary={`${others.length} more`}>
          <RadioCards label="Other saved addresses" name={name} options={others} />
        </Disclosure>
      ) : null}
      <Row>
        <Button size="small" name="intent" value={`add-${name}`} formNoValidate>
          Add another
        </Button>
      </Row>
    </Stack>
  );
}
