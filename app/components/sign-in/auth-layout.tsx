import type { ReactNode } from "react";
import { Hero, KeyFigures } from "~/components/shell/layouts";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import * as styles from "./auth-layout.css";

type Props = {
  title: string;
  lede: string;
  /** Notes above the card. */
  notes?: ReactNode;
  /** Shown beside the card, instead of the introduction. */
  price?: ReactNode;
  children: ReactNode;
};

const tagline = "USDT to Signal and back, in one leap.";

const figures = [
  { value: "One price", name: "locked while you pay" },
  { value: "Your wallets", name: "to pay and get paid" },
  { value: "Every step", name: "shown as it happens" },
];

/** The layout of /login and /register: what Antelope is on the left, the form on the right. */
export function AuthLayout({ title, lede, notes, price, children }: Props) {
  const form = (
    <Stack gap={4}>
      {notes}
      <Card roomy={!price} id="sign-in">
        <Stack gap={6}>
          <Stack gap={2}>
            <h1 className={text.heading}>{title}</h1>
            <p className={text.muted}>{lede}</p>
          </Stack>
          {children}
        </Stack>
      </Card>
    </Stack>
  );
  if (price) {
    return (
      <div className={styles.withPrice}>
        <p className={text.title}>{tagline}</p>
        <div className={styles.cards}>
          <Card as="div">{price}</Card>
          {form}
        </div>
      </div>
    );
  }
  return (
    <Hero
      titleAs="p"
      title={tagline}
      lede="Swap USDT for MOB, the currency of Signal payments, or MOB for USDT. It takes a few minutes, and the coins arrive in your own wallet."
      more={<KeyFigures figures={figures} />}
    >
      {form}
    </Hero>
  );
}
