import type { KycStatus, Order } from "~/api/contract";
import { paths } from "~/lib/paths";
import { useSiteTerms } from "~/loaded-data/root-data";
import { useRouteContext } from "~/loaded-data/route-context";
import { isSentBack } from "~/swaps/order-sums";
import { ButtonLink } from "~/ui/button";
import { Note } from "~/ui/note";
import { AskAbout } from "./ask-about";

type Props = { order: Order; kycStatus: KycStatus; nowMs: number };

/** What its owner can do about a swap that is on hold. */
export function HoldAdvice({ order, kycStatus, nowMs }: Props) {
  // The layout's user is loaded again every minute.
  const { user } = useRouteContext();
  const { supportEmail } = useSiteTerms();
  // Once the hold has ended, the money is refunded, and verification no longer continues the swap.
  const isOver = order.hold != null && Date.parse(order.hold.deadline) <= nowMs;
  switch (isOver ? "approved" : (user?.kyc_status ?? kycStatus)) {
    case "pending":
      return (
        <Note tone="waiting" title="We're reviewing your details">
          <p>
            We e-mail you when it is done. If this is why your swap is on hold, it continues once you are verified.{" "}
            <AskAbout {...order} />
          </p>
        </Note>
      );
    case "approved":
      return (
        <Note>
          <p>
            {supportEmail === null
              ? "Unless the reason asks you for something, there"
              : "If the reason asks you for something, reply to our e-mail. Otherwise, there"}{" "}
            is nothing you need to do. <AskAbout {...order} />
          </p>
        </Note>
      );
    case "not_started":
    case "rejected":
    case "action_required":
      return (
        <>
          <Note tone="danger" title="Verify your identity">
            <p>
              {isSentBack(order)
                ? "We were sending your money back. If this is why your swap is on hold, the refund continues once you are verified."
                : "We can only pay out to verified customers. If this is why your swap is on hold, it continues once you are verified."}{" "}
              <AskAbout {...order} />
            </p>
          </Note>
          <ToVerification {...order} />
        </>
      );
  }
}

/** Without an approval, the swap would be put on hold once it is paid. */
export function useIsUnverified(kycStatus: KycStatus): boolean {
  const { user } = useRouteContext();
  return (user?.kyc_status ?? kycStatus) !== "approved";
}

/** Before a payment by a customer who is not verified. */
export function UnverifiedNote({ order }: { order: Order }) {
  return (
    <>
      <Note tone="danger" title="Don't pay yet: your identity isn't verified" live>
        <p>
          We can only pay out to verified customers, so we would put this swap on hold. Verify your identity first, or
          cancel this swap for free.
        </p>
      </Note>
      <ToVerification {...order} />
    </>
  );
}

function ToVerification({ quote_id }: Order) {
  return (
    <ButtonLink to={paths.kyc({ redirect: paths.quote(quote_id) })} kind="primary" size="large" full>
      Go to Verification
    </ButtonLink>
  );
}
