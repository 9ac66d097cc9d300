import { paths } from "~/lib/paths";
import { useSiteTerms } from "~/loaded-data/root-data";
import { useRouteContext } from "~/loaded-data/route-context";
import { isSentBack } from "~/swaps/order-sums";
import { ButtonLink } from "~/ui/button";
import { Note } from "~/ui/note";
import { AskAbout } from "./ask-about";
import { useOrderView } from "./order-view";

/** What its owner can do about a swap that is on hold. */
export function HoldAdvice() {
  const { order, nowMs } = useOrderView();
  const kycStatus = useKycStatus();
  const { supportEmail } = useSiteTerms();
  // Once the hold has ended, the money is refunded, and verification no longer continues the swap.
  const isOver = order.hold != null && Date.parse(order.hold.deadline) <= nowMs;
  switch (isOver ? "approved" : kycStatus) {
    case "pending":
      return (
        <Note tone="waiting" title="We're reviewing your details">
          <p>
            We e-mail you when it is done. If this is why your swap is on hold, it continues once you are verified.{" "}
            <AskAbout />
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
            is nothing you need to do. <AskAbout />
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
              <AskAbout />
            </p>
          </Note>
          <ToVerification />
        </>
      );
  }
}

/** Without an approval, the swap would be put on hold once it is paid. */
export function useIsUnverified(): boolean {
  return useKycStatus() !== "approved";
}

/** The layout's user is loaded again every minute. The page's own copy may be up to five minutes old. */
function useKycStatus() {
  const { page } = useOrderView();
  return useRouteContext().user?.kyc_status ?? page.kycStatus;
}

/** Before a payment by a customer who is not verified. */
export function UnverifiedNote() {
  return (
    <>
      <Note tone="danger" title="Don't pay yet: your identity isn't verified" live>
        <p>
          We can only pay out to verified customers, so we would put this swap on hold. Verify your identity first, or
          cancel this swap for free.
        </p>
      </Note>
      <ToVerification />
    </>
  );
}

function ToVerification() {
  const { order } = useOrderView();
  return (
    <ButtonLink to={paths.kyc({ redirect: paths.quote(order.quote_id) })} kind="primary" size="large" full>
      Go to Verification
    </ButtonLink>
  );
}
