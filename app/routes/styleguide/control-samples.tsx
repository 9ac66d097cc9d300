import { useState } from "react";
import { CoinName } from "~/components/brand/coin";
import { AmountField } from "~/ui/amount-field";
import { Button, ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { CopyField } from "~/ui/copy-field";
import { Row, Stack } from "~/ui/layout";
import { Pagination } from "~/ui/pagination";
import { RadioCards } from "~/ui/radio-cards";
import { SegmentedLinks } from "~/ui/segmented-links";
import { Select } from "~/ui/select";
import { TextField } from "~/ui/text-field";
import { Toast } from "~/ui/toast";
import * as styles from "./styleguide.css";

const addresses = [
  { value: "1", label: "My Signal", detail: "6UEt kmr1 … r2Uh" },
  { value: "2", label: "Cold wallet", detail: "4Hc9 81pq … 9sKa" },
];

export function ControlSamples() {
  return (
    <div className={styles.columns}>
      <Card>
        <Buttons />
      </Card>
      <Card>
        <Stack gap={4}>
          <h2>Fields</h2>
          <TextField
            label="E-mail"
            name="email"
            type="email"
            placeholder="you@example.org"
            hint="We only use it to send codes."
          />
          <TextField
            label="Code"
            name="code"
            code
            defaultValue="493 021"
            error="This code has expired. Request a new one."
          />
          <TextField label="Limit" name="limit" suffix="USDT" defaultValue="10,000" />
          <TextField label="Refund address" name="refund" disabled defaultValue="0x3C44…93BC" />
          <Select
            label="Country"
            name="country"
            options={[
              { value: "SE", label: "Sweden" },
              { value: "KE", label: "Kenya" },
            ]}
          />
        </Stack>
      </Card>
      <Card>
        <Stack gap={3}>
          <h2>Amounts</h2>
          <AmountField
            label="You send"
            name="amount"
            defaultValue="250.00"
            coin={<CoinName asset="USDT" />}
            hint="on Ethereum"
            aside="min 10 · max 10,000"
          />
          <AmountField
            label="You send"
            name="wrong"
            defaultValue="2,50,0"
            coin={<CoinName asset="USDT" />}
            error="Enter an amount, such as 2500.00."
            hint="on Ethereum"
          />
        </Stack>
      </Card>
      <Card>
        <Stack gap={4}>
          <RadioCards
            label="Delivery address"
            name="address"
            options={addresses}
            defaultValue="1"
            hint="Choose one of your saved addresses."
          />
          <CopyField
            label="To this address, on Ethereum only"
            value="0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
            groups={4}
            what="the address"
          />
          <CopyField label="Amount" value="250.00" display="250.00 USDT" what="the amount" />
          <div>
            <SegmentedLinks
              label="Views"
              links={[
                { to: "/styleguide", label: "All", current: true },
                { to: "/styleguide?done", label: "Done", current: false },
                { to: "/styleguide?open", label: "In progress", current: false },
              ]}
            />
          </div>
          <Pagination label="Pages" newer="/styleguide" older="/styleguide?cursor=1" />
        </Stack>
      </Card>
    </div>
  );
}

function Buttons() {
  const [message, setMessage] = useState("");
  return (
    <Stack gap={4}>
      <h2>Buttons</h2>
      <Button kind="primary" size="large" full type="button">
        Lock this price
      </Button>
      <Button kind="primary" size="large" full type="button" pending="Locking the price…">
        Lock this price
      </Button>
      <Row>
        <Button type="button" kind="quiet" onClick={() => setMessage("Address saved")}>
          Show a message
        </Button>
        <Button type="button" kind="danger">
          Cancel this swap
        </Button>
        <ButtonLink to="/styleguide" kind="secondary">
          A link
        </ButtonLink>
        <Button type="button" size="small">
          Small
        </Button>
        <Button type="button" disabled>
          Disabled
        </Button>
      </Row>
      <Toast>{message}</Toast>
    </Stack>
  );
}
