import { useCallback, useState } from "react";
import type { Order } from "~/api/contract";
import { useLocale } from "~/components/locale/use-locale";
import * as styles from "~/components/order/order.css";
import { PayWithWallet } from "~/components/wallet/pay-with-wallet";
import { paths, withParams } from "~/lib/paths";
import { showMoney } from "~/lib/shown-amount";
import { ButtonLink } from "~/ui/button";
import { CopyField } from "~/ui/copy-field";
import { Disclosure } from "~/ui/disclosure";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { QrCode } from "~/ui/qr-code";
import type { OrderData } from "./load.server";

type Props = {
  order: Order;
  data: OrderData;
  pay: NonNullable<OrderData["pay"]>;
  /** Where only a part is still missing. */
  amount?: string;
  /** Paying is one of two ways on, and the other one comes first. */
  second?: boolean;
  /** Told whether this browser's wallet has paid. */
  onPaying?(isPaying: boolean): void;
};

/** The amount and the address, to scan and to copy, and what would lose money; once this browser has paid, that payment alone. */
export function PayPanel({ order, data, pay, amount = pay.funding.amount, second, onPaying }: Props) {
  const { funding, paymentCode, addressCode } = pay;
  const { numbers } = useLocale();
  const [isPaying, setPaying] = useState(false);
  const tellPaying = useCallback(
    (now: boolean) => {
      setPaying(now);
      onPaying?.(now);
    },
    [onPaying],
  );
  const asset = order.source_asset_symbol;
  const whole = amount === funding.amount;
  const isUsdt = asset === "USDT";
  const kind = second ? "secondary" : "primary";
  const sandboxPath = withParams(paths.sandbox, {
    asset,
    address: funding.address,
    amount,
    redirect: paths.quote(order.quote_id),
  });
  return (
    <Stack gap={4}>
      {isPaying ? null : (
        <div className={styles.pay}>
          <Stack gap={2}>
            <QrCode
              drawing={whole || !isUsdt ? paymentCode : addressCode}
              label={`The address${isUsdt && whole ? " and the amount" : ""} as a code to scan; it can be copied beside it.`}
            />
          </Stack>
          <Stack gap={3}>
            <CopyField
              label="Amount, exactly"
              value={amount}
              shown={showMoney(amount, asset, numbers)}
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
      )}
      {isUsdt ? (
        <PayWithWallet
          kind={kind}
          funding={funding}
          amount={amount}
          sandbox={data.sandbox}
          onPaying={tellPaying}
          {...data.wallet}
        />
      ) : null}
      {isPaying ? null : (
        <>
          {isUsdt ? <EthereumWarnings chainId={funding.chain_id} /> : <MobilecoinWarnings />}
          {isUsdt && whole ? (
            <Disclosure summary="My wallet does not understand the code">
              <Stack gap={3}>
                <p>This one holds the address alone. Write the amount by hand.</p>
                <QrCode drawing={addressCode} label="The address alone as a code to scan." />
              </Stack>
            </Disclosure>
          ) : null}
          {data.sandbox ? (
            <ButtonLink to={sandboxPath} kind={isUsdt ? "secondary" : kind} size="large" full>
              Pay from the sandbox
            </ButtonLink>
          ) : null}
        </>
      )}
    </Stack>
  );
}

function EthereumWarnings({ chainId }: { chainId: number | string }) {
  return (
    <Note tone="waiting" title="Check three things before you send">
      <p>
        The network: Ethereum{chainId === 1 || chainId === "" ? "" : ` (chain ${chainId})`}, no other. The coin: USDT,
        no other. The amount: exactly this, and your wallet's own network fee on top. What goes astray elsewhere we
        cannot always bring back.
      </p>
    </Note>
  );
}

function MobilecoinWarnings() {
  return (
    <Note tone="waiting" title="In Signal: Payments, then “Transfer to exchange”">
      <p>
        Scan the code or paste the address there, and write the amount by hand: the code cannot carry it. Send exactly
        this amount, in one payment.
      </p>
    </Note>
  );
}
