import { useLocale } from "~/components/locale/use-locale";
import { Facts, Hero } from "~/components/shell/arrangements";
import { SwapCard } from "~/components/swap/swap-card";
import { toSwapTimeWords } from "~/lib/durations";
import { formatDecimal } from "~/lib/money";
import { formatDecimalText } from "~/lib/number-style";
import type { DirectionResult } from "./act.server";
import type { DirectionData } from "./load.server";

type Props = { data: DirectionData; result: DirectionResult | undefined };

const words = {
  USDT: {
    title: "From dollars to Signal, in one leap.",
    lede: "Send USDT from any Ethereum wallet and receive MOB in the payments tab of your Signal app.",
  },
  MOB: {
    title: "From Signal to dollars, in one leap.",
    lede: "Send MOB from the payments tab of your Signal app and receive USDT in your Ethereum wallet.",
  },
} as const;

/** The product's card, and beside it what is good to know. */
export function DirectionScreen({ data, result }: Props) {
  const { numbers } = useLocale();
  const source = data.sourceAsset.symbol;
  const time = toSwapTimeWords(data.sourceAsset.network, data.rates.confirmations[source]);
  const fee = formatDecimalText(formatDecimal(BigInt(data.rates.fee_bps), 2), numbers);
  return (
    <Hero
      title={words[source].title}
      lede={words[source].lede}
      more={
        <Facts
          facts={[
            { value: time, name: "usual time, once you have paid" },
            { value: `${fee}\u00a0%`, name: "fee, nothing hidden" },
            { value: "yours", name: "refund to your own address" },
          ]}
        />
      }
    >
      {/* Another direction, another amount that was brought along: another card. */}
      <SwapCard key={`${source} ${data.typed.side} ${data.typed.text}`} {...data} result={result} />
    </Hero>
  );
}
