import { CoinName } from "~/components/brand/coin";
import { NotFoundPage } from "~/components/errors/not-found-page";
import { flip, legs } from "~/components/price/legs.css";
import { Hero, KeyFigures, Narrow, Wide } from "~/components/shell/layouts";
import { text } from "~/styles/text.css";
import { AmountField } from "~/ui/amount-field";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { CopyField } from "~/ui/copy-field";
import { CountdownRing } from "~/ui/countdown-ring";
import { DataList } from "~/ui/data-list";
import type { QrDrawing } from "~/ui/draw-qr";
import { Icon } from "~/ui/icon";
import { Row, Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { QrCode } from "~/ui/qr-code";
import { TextField } from "~/ui/text-field";
import { Timeline } from "~/ui/timeline";
import * as styles from "./styleguide.css";

export function LayoutSample({ show, qr }: { show: string; qr: QrDrawing }) {
  if (show === "hero") return <HeroSample />;
  if (show === "wide") return <WideSample qr={qr} />;
  if (show === "not-found") return <NotFoundPage />;
  return <NarrowSample />;
}

function HeroSample() {
  return (
    <Hero
      title="From dollars to Signal, in one leap."
      lede="Send USDT from any Ethereum wallet and receive MOB in Signal, or the other way round."
      more={
        <KeyFigures
          figures={[
            { value: "about 4 min", name: "for a typical swap" },
            { value: "0.5%", name: "fee, included in the price" },
            { value: "Refunds", name: "to your own address" },
          ]}
        />
      }
    >
      <Card>
        <Stack gap={4}>
          <Row justify="between" align="baseline">
            <h2>Swap</h2>
            <span className={`${text.small} ${text.muted}`}>1 MOB = 0.3512 USDT</span>
          </Row>
          <div className={legs}>
            <AmountField
              label="You send"
              name="amount"
              defaultValue="250.00"
              coin={<CoinName asset="USDT" />}
              hint="on Ethereum"
              aside="min 10 · max 10,000"
            />
            <button type="button" className={flip} aria-label="Reverse the swap">
              <Icon name="flip" />
            </button>
            <AmountField
              label="You receive"
              name="target"
              readOnly
              value="708.2859"
              coin={<CoinName asset="MOB" />}
              hint="to “My Signal” · 6UEt…r2Uh"
              aside={<a href="#main">Change</a>}
            />
          </div>
          <DataList
            rows={[
              { term: "Rate", value: "1 USDT = 2.8474 MOB" },
              { term: "Fee, 0.5%", value: "1.25 USDT" },
              { term: "Confirmations", value: "12 blocks, about 3 min" },
            ]}
          />
          <Note tone="good" icon={<CountdownRing left={42} total={60} />}>
            This price is valid for 42 seconds
          </Note>
          <Button kind="primary" size="large" full type="button">
            Lock this price
          </Button>
        </Stack>
      </Card>
    </Hero>
  );
}

function WideSample({ qr }: { qr: QrDrawing }) {
  return (
    <Wide>
      <Card roomy>
        <Stack gap={6}>
          <div>
            <p className={`${text.small} ${text.muted}`}>Swap 10482 · 250.00 USDT to 708.2859 MOB</p>
            <h1 className={text.titleAmount}>Send exactly 250.00 USDT</h1>
          </div>
          <div className={styles.columns}>
            <QrCode drawing={qr} label="QR code with the address and the amount, which you can copy next to it" />
            <Stack>
              <CopyField label="Amount" value="250.00" display="250.00 USDT" what="the amount" />
              <CopyField
                label="To this address, on Ethereum only"
                value="0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
                groups={4}
                what="the address"
              />
              <Note>We usually can't get back another coin, or USDT sent on another network.</Note>
              <Button kind="primary" size="large" full type="button">
                Pay with a browser wallet
              </Button>
            </Stack>
          </div>
        </Stack>
      </Card>
      <Card as="aside">
        <Stack gap={6}>
          <Note tone="waiting" icon={<CountdownRing left={1471} total={1800} />}>
            Price locked, 24:31 left to pay
          </Note>
          <Timeline
            label="Progress of this swap"
            steps={[
              { key: "1", state: "done", title: "Price locked", detail: "14:02:11 · 1 USDT = 2.8474 MOB" },
              {
                key: "2",
                state: "current",
                title: "Waiting for your 250.00 USDT",
                detail: "We're watching for it. You can close this page.",
              },
              { key: "3", state: "todo", title: "12 confirmations", detail: "about 3 minutes" },
              { key: "4", state: "todo", title: "708.2859 MOB to “My Signal”", detail: "6UEt kmr1 … r2Uh · seconds" },
            ]}
          />
          <Note>Paid too little or too late? Your money is safe: this page asks you what to do.</Note>
        </Stack>
      </Card>
    </Wide>
  );
}

function NarrowSample() {
  return (
    <Narrow title="Welcome back" lede="Sign in with the passkey on this device, or with a code sent by e-mail.">
      <Card>
        <Stack gap={4}>
          <TextField label="E-mail" name="email" type="email" autoComplete="username webauthn" />
          <Button kind="primary" size="large" full>
            Sign in with a passkey
          </Button>
          <Button kind="quiet" full>
            Send me a code
          </Button>
        </Stack>
      </Card>
    </Narrow>
  );
}
