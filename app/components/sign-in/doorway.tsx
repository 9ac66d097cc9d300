import type { ReactNode } from "react";
import { Facts, Hero } from "~/components/shell/arrangements";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";

type Props = {
  title: string;
  lede: string;
  /** What must be known first, above the card. */
  notes?: ReactNode;
  children: ReactNode;
};

const facts = [
  { value: "One price", name: "locked while you pay" },
  { value: "Your wallets", name: "paid from and paid to" },
  { value: "Every step", name: "shown, with its hash" },
];

/** Where a stranger comes in: what this house is, and beside it the form that opens it. */
export function Doorway({ title, lede, notes, children }: Props) {
  return (
    <Hero
      titleAs="p"
      title="USDT to Signal and back, in one leap."
      lede="Swap USDT for MOB, the coin of Signal Payments, or MOB for USDT. It takes a couple of minutes, from your own wallet to your own wallet."
      more={<Facts facts={facts} />}
    >
      <Stack gap={4}>
        {notes}
        <Card roomy>
          <Stack gap={6}>
            <Stack gap={2}>
              <h1 className={text.heading}>{title}</h1>
              <p className={text.muted}>{lede}</p>
            </Stack>
            {children}
          </Stack>
        </Card>
      </Stack>
    </Hero>
  );
}
