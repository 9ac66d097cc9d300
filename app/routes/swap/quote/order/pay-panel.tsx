import { useLocale } from "~/components/locale/use-locale";
import { paths, withParams } from "~/lib/paths";
import { formatExactMoney } from "~/lib/shown-amount";
import { useHasSandbox } from "~/loaded-data/root-data";
import { text } from "~/styles/text.css";
import { toMissing } from "~/swaps/order-sums";
import { ButtonLink, ExternalButtonLink } from "~/ui/button";
import { CopyField } from "~/ui/copy-field";
import { Disclosure } from "~/ui/disclosure";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { PlainList } from "~/ui/plain-list";
import { QrCode } from "~/ui/qr-code";
import { parseTransferUri, toPartialTransferUri } from "~/wallet/funding";
import type { OrderPageData } from "../loader.server";
import { AmountText } from "./amount-text";
import * as styles from "./order.css";
import { useOrderView } from "./order-view";
import { PayWithWallet } from "./pay-with-wallet";

export type PayPanelProps = {
  /** Paying is the second choice on the page, so its buttons are secondary. */
  isSecondary?: boolean;
};

/**
 * How to pay what is missing. The key is set because a wallet's progress belongs to the payment of this amount only.
 */
export function PayPanel(props: PayPanelProps) {
  const missing = toMissing(useOrderView().order);
  return <Payment key={missing} amount={missing} {...props} />;
}

type PaymentProps = PayPanelProps & { amount: string };

/** The ways to pay. While a payment of this browser is under way, or if it is too late to pay, only its progress. */
function Payment({ amount, isSecondary }: PaymentProps) {
  const { page, situation } = useOrderView();
  const { pay, wallet } = page;
  const { underWay, ended, canPay } = situation;
  const hasSandbox = useHasSandbox();
  const transfer = pay?.funding.asset_symbol === "USDT" ? parseTransferUri(pay.funding.uri) : null;
  const funding = underWay ?? (transfer ? { ...transfer, amount } : ended?.payment);
  const kind: Kind = isSecondary ? "secondary" : "primary";
  const offered = pay && canPay && !underWay ? { pay, amount, kind } : null;
  return (
    <Stack gap={4}>
      {offered ? <PaymentTarget {...offered} /> : null}
      {funding ? (
        <PayWithWallet
          className={hasSandbox ? undefined : styles.secondaryOnHandheld}
          kind={kind}
          funding={funding}
          underWay={underWay}
          canPay={canPay}
          onPayAgain={ended?.dismiss}
          {...wallet}
        />
      ) : null}
      {offered ? <OtherWaysToPay {...offered} /> : null}
    </Stack>
  );
}

type Kind = "primary" | "secondary";
type OfferedProps = { pay: NonNullable<OrderPageData["pay"]>; amount: string; kind: Kind };

/**
 * The amount and the address to scan or copy, and warnings about what loses money. The order may be newer than `pay`,
 * whose links are then for another amount.
 */
function PaymentTarget({ pay, amount, kind }: OfferedProps) {
  const { order } = useOrderView();
  const { funding } = pay;
  const { numbers } = useLocale();
  const asset = order.source_asset_symbol;
  const isUsdt = asset === "USDT";
  const isSameAmount = amount === funding.amount;
  const link = isSameAmount ? funding.wallet_link : isUsdt ? toPartialTransferUri(funding.uri, amount) : funding.uri;
  return (
    <>
      <div className={styles.pay}>
        <div className={styles.notHandheld}>
          <PaymentCode pay={pay} amount={amount} />
        </div>
        <Stack gap={3}>
          <CopyField
            label="Exact amount"
            value={amount}
            display={<AmountText>{formatExactMoney(amount, asset, numbers)}</AmountText>}
            what="the amount"
          />
          <CopyField
            label={isUsdt ? "To this address, on Ethereum only" : "To this MobileCoin address"}
            value={funding.address}
            groups={4}
            what="the address"
          />
        </Stack>
      </div>
      {isUsdt ? <EthereumWarnings chainId={funding.chain_id} /> : <MobilecoinWarnings />}
      {link ? <WalletLink link={link} kind={kind} isUsdt={isUsdt} /> : null}
    </>
  );
}

/** From an exchange account, from another device, with the address only, and in the sandbox. */
function OtherWaysToPay({ pay, amount, kind }: OfferedProps) {
  const { order } = useOrderView();
  const { funding, addressCode } = pay;
  const hasSandbox = useHasSandbox();
  const asset = order.source_asset_symbol;
  const isUsdt = asset === "USDT";
  const sandboxPath = withParams(paths.sandbox, {
    asset,
    address: funding.address,
    amount,
    redirect: paths.quote(order.quote_id),
  });
  return (
    <>
      {isUsdt ? (
        <Disclosure summary="I'm paying from an exchange account">
          <p>
            Choose the network Ethereum (ERC-20). Make sure that the full amount still arrives once the exchange has
            deducted its fee. Some exchanges take longer than your time to pay.{" "}
            <a href={paths.answer("exchange")}>More about paying from an exchange</a>
          </p>
        </Disclosure>
      ) : null}
      <div className={styles.handheldOnly}>
        <Disclosure summary="Show QR code">
          <Stack gap={3}>
            <p>For a wallet on another device.</p>
            <PaymentCode pay={pay} amount={amount} />
          </Stack>
        </Disclosure>
      </div>
      {isUsdt && amount === funding.amount ? (
        <Disclosure summary="QR code with only the address">
          <Stack gap={3}>
            <p>For a wallet that can't scan the other code. Enter the amount yourself.</p>
            <QrCode drawing={addressCode} label="QR code with only the address." />
          </Stack>
        </Disclosure>
      ) : null}
      {hasSandbox ? (
        <ButtonLink to={sandboxPath} kind={isUsdt ? "secondary" : kind} size="large" full>
          Pay from the sandbox
        </ButtonLink>
      ) : null}
    </>
  );
}

/** With the amount, if it is what the exchange's code asks for and the wallets of this coin read it. */
function PaymentCode({ pay, amount }: Pick<OfferedProps, "pay" | "amount">) {
  const { funding, paymentCode, addressCode } = pay;
  const isUsdt = funding.asset_symbol === "USDT";
  const isSameAmount = amount === funding.amount;
  return (
    <QrCode
      drawing={isSameAmount || !isUsdt ? paymentCode : addressCode}
      label={`QR code with the address${isUsdt && isSameAmount ? " and the amount" : ""}, which you can also copy.`}
    />
  );
}

type WalletLinkProps = { link: string; kind: Kind; isUsdt: boolean };

/** Opens a wallet on the same device, for phones, which can't scan their own screen. */
function WalletLink({ link, kind, isUsdt }: WalletLinkProps) {
  const hasSandbox = useHasSandbox();
  return (
    <div className={styles.handheldOnly}>
      {/* Wallets don't know the sandbox's coins, and Signal does not open links. */}
      <ExternalButtonLink href={link} kind={isUsdt && !hasSandbox ? kind : "secondary"} size="large" full>
        {isUsdt ? "Open my wallet app" : "Open a MobileCoin wallet"}
      </ExternalButtonLink>
      <p className={`${text.small} ${text.muted}`}>
        {isUsdt
          ? "If nothing opens, or your wallet shows a different amount or address, copy both from this page."
          : "Signal can't open links. Copy the address and the amount into it."}
      </p>
    </div>
  );
}

function EthereumWarnings({ chainId }: { chainId: number | string }) {
  return (
    <Note tone="waiting" title="Check three things before you send">
      <PlainList className={styles.checks}>
        <li>
          <strong>Network:</strong> only Ethereum{chainId === 1 || chainId === "" ? "" : ` (chain ${chainId})`}
        </li>
        <li>
          <strong>Coin:</strong> only USDT
        </li>
        <li>
          <strong>Amount:</strong> exactly this, plus your wallet's network fee
        </li>
      </PlainList>
      <p>We usually can't get back another coin, or USDT sent on another network.</p>
    </Note>
  );
}

function MobilecoinWarnings() {
  return (
    <Note tone="waiting" title="In Signal: Payments, then “Transfer to exchange”">
      <p>
        Paste the address or scan the code, then enter the amount, which the code doesn't include. Send exactly this
        amount in one payment.
      </p>
    </Note>
  );
}
