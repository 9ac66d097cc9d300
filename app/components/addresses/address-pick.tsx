import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Select } from "~/ui/select";
import * as styles from "./addresses.css";
import { type SavedAddress, toAddressName } from "./saved-address";

export type AddressPickProps = {
  label: string;
  name: "delivery" | "refund";
  addresses: readonly SavedAddress[];
  chosen: string | null;
  /** What is said where none is saved yet. */
  none: string;
};

/** One of the saved addresses, in a line; "Add" posts the whole form, so that nothing typed is lost. */
export function AddressPick({ label, name, addresses, chosen, none }: AddressPickProps) {
  if (addresses.length === 0) {
    return (
      <div className={styles.empty}>
        <span className={text.muted}>{none}</span>
        <Button size="small" name="intent" value={`add-${name}`} formNoValidate>
          Add it now
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.pick}>
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
