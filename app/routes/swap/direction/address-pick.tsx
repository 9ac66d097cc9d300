import * as styles from "~/components/addresses/addresses.css";
import { type SavedAddress, toAddressName } from "~/components/addresses/saved-address";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Select } from "~/ui/select";

export type AddressPickProps = {
  label: string;
  name: "delivery" | "refund";
  addresses: readonly SavedAddress[];
  chosen: string | null;
  /** Shown if there is no saved address to choose. */
  none: string;
};

/** Chooses one of the saved addresses. "Add" posts the whole form, so that typed amounts are kept. */
export function AddressPick({ label, name, addresses, chosen, none }: AddressPickProps) {
  if (addresses.length === 0) {
    return (
      <div className={styles.empty}>
        <span className={text.muted}>{none}</span>
        <Button size="small" name="intent" value={`add-${name}`} formNoValidate>
          Add now
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.selectWithAdd}>
      <Select
        label={label}
        name={name}
        defaultValue={chosen ?? undefined}
        options={addresses.map((address) => ({ value: address.id, label: toAddressName(address) }))}
      />
      <Button size="large" className={styles.add} name="intent" value={`add-${name}`} formNoValidate>
        Add
      </Button>
    </div>
  );
}
