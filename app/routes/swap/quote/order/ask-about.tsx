import { toOrderNumber } from "~/lib/order-number";
import { paths } from "~/lib/paths";
import { useSiteTerms } from "~/loaded-data/root-data";
import { useOrderView } from "./order-view";

/** A link to the form for messages, if there is a support address. */
export function AskAbout() {
  const { order } = useOrderView();
  const { supportEmail } = useSiteTerms();
  return supportEmail === null ? null : (
    <a href={paths.contact({ swap: toOrderNumber(order.quote_id) })}>Ask us about this swap</a>
  );
}
