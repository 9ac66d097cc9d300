import { Antelope } from "~/components/brand/antelope";
import { Coin } from "~/components/brand/coin";
import { Mark } from "~/components/brand/mark";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import * as styles from "./styleguide.css";

type Props = {
  /** The names and CSS values of the colours. */
  roles: readonly (readonly [string, string])[];
};

export function BrandSamples({ roles }: Props) {
  return (
    <>
      <Card>
        <Stack gap={6}>
          <h2>Illustrations</h2>
          <div className={styles.poses}>
            <Antelope pose="leaping" size="large" leap label="An antelope leaping" />
            <Antelope pose="grazing" size="large" />
            <Antelope pose="looking" size="large" />
            <Antelope pose="drinking" size="large" />
          </div>
          <div className={styles.poses}>
            <Antelope pose="leaping" size="small" />
            <Antelope pose="grazing" size="small" />
            <Antelope pose="looking" size="small" />
            <Antelope pose="drinking" size="small" />
            <Mark />
            <Coin asset="USDT" />
            <Coin asset="MOB" />
          </div>
        </Stack>
      </Card>
      <Card>
        <Stack gap={4}>
          <p className={text.hero}>Hero</p>
          <p className={text.title}>Title</p>
          <p className={text.titleAmount}>Send exactly 250.00 USDT</p>
          <p className={text.heading}>Heading</p>
          <p className={text.lede}>A lede explains the page in one sentence, at 18 px in the muted colour.</p>
          <p>Body text at 16 px with generous line spacing. Your money is safe: this page asks you what to do.</p>
          <p className={text.small}>Small text at 14 px, the smallest size.</p>
          <p className={text.amount}>708.2859</p>
          <p className={text.code}>0x70997970C51812dc3A010C7d01b50e0d17dc79C8</p>
        </Stack>
      </Card>
      <Card>
        <Stack gap={4}>
          <h2>Colours</h2>
          <div className={styles.swatches}>
            {roles.map(([role, value]) => (
              <div key={role}>
                <svg className={styles.swatch} aria-hidden="true">
                  <rect width="100%" height="100%" fill={value} />
                </svg>
                {role}
              </div>
            ))}
          </div>
          <Row>
            <a href="#main">A plain link</a>
          </Row>
        </Stack>
      </Card>
    </>
  );
}
