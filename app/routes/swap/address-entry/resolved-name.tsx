import type { EnsName } from "~/api/contract";
import { GroupedAddress } from "~/components/addresses/grouped-address";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";

/** Asks the visitor to compare the address of a name before it is saved. */
export function ResolvedName({ resolved, next }: { resolved: EnsName; next: string }) {
  return (
    <Note tone="waiting" title={`${resolved.name} points to this address`} live>
      <Stack gap={2}>
        <GroupedAddress address={resolved.address} />
        <p>Compare it with the one in your wallet, then press “{next}” again. We keep the address, not the name.</p>
      </Stack>
    </Note>
  );
}
