import type { Order } from "~/api/contract";
import { toOrderNumber } from "~/lib/order-number";
import { paths } from "~/lib/paths";
import { useSiteTerms } from "~/loaded-data/root-data";

/** A link to the form for messages, if there is a support address. */
export function AskAbout({ quote_id }: Order) {
  const { supportEmail } = useSiteTerms();
  return supportEmail === null ? null : (
    <a href={paths.contact({ swap: toOrderNumber(quote_id) })}>Ask us about this swap</a>
  );
}
