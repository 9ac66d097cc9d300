import { useLocation } from "@remix-run/react";
import { FirstSwapSteps } from "~/components/first-swap/first-swap-steps";
import { type HelpLink, HelpLinks } from "~/components/help/help-links";
import { useLocale } from "~/components/locale/use-locale";
import { PauseNote } from "~/components/price/price-notes";
import { Hero, KeyFigures } from "~/components/shell/layouts";
import { formatSwapTime } from "~/lib/durations";
import { formatBps } from "~/lib/format-bps";
import { Stack } from "~/ui/layout";
import type { DirectionResult } from "./action.server";
import type { DirectionData } from "./loader.server";
import { SwapCard } from "./swap-card";

type Props = { data: DirectionData; result: DirectionResult | undefined };

const headings = {
  USDT: {
    title: "From USDT to MOB, in one leap.",
    lede: "Send USDT from any Ethereum wallet and receive MOB in Signal or another MobileCoin wallet.",
  },
  MOB: {
    title: "From MOB to USDT, in one leap.",
    lede: "Send MOB from Signal or another MobileCoin wallet and receive USDT in your Ethereum wallet.",
  },
} as const;

const answers: readonly HelpLink[] = [
  { id: "limits", question: "How much can I swap?" },
  { id: "signal-limits", question: "What are the limits of payments in Signal?" },
  { id: "refund-address", question: "Why do you need a refund address?" },
];

/** The swap form with its introduction. */
export function DirectionScreen({ data, result }: Props) {
  const { numbers } = useLocale();
  const { search } = useLocation();
  const source = data.sourceAsset.symbol;
  const time = formatSwapTime(data.sourceAsset.network, data.rates.confirmations[source]);
  const fee = formatBps(data.rates.fee_bps, numbers);
  return (
    <Hero
      title={headings[source].title}
      lede={headings[source].lede}
      more={
        <KeyFigures
          figures={[
            { value: time, name: "usual time after you pay" },
            { value: fee, name: "usual fee" },
            { value: "Refunds", name: "go to your own address" },
          ]}
        />
      }
    >
      <Stack gap={4}>
        {data.delivery.addresses.length === 0 || data.refund.addresses.length === 0 ? (
          <FirstSwapSteps now="swap" />
        ) : null}
        <PauseNote reason={data.pauseReason} />
        {/* The key resets the form when the direction or the amount in the URL changes. */}
        <SwapCard key={`${source} ${search}`} {...data} result={result} />
        <HelpLinks links={answers} inNewTab />
      </Stack>
    </Hero>
  );
}
