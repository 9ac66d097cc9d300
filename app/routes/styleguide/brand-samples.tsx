import { Coin } from "~/components/brand/coin";
import { DrinkingAntelope } from "~/components/brand/drinking-antelope";
import { GrazingAntelope } from "~/components/brand/grazing-antelope";
import { LeapingAntelope } from "~/components/brand/leaping-antelope";
import { LookingAntelope } from "~/components/brand/looking-antelope";
import { Mark } from "~/components/brand/mark";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import * as styles from "./styleguide.css";

/** A role's name and the colour that it is. */
type Props = { roles: readonly (readonly [string, string])[] };

export function BrandSamples({ roles }: Props) {
  return (
    <>
      <Card>
        <Stack gap={6}>
          <h2>The animal</h2>
          <div className={styles.poses}>
            <LeapingAntelope size="large" leap label="An antelope leaping" />
            <GrazingAntelope size="large" />
            <LookingAntelope size="large" />
            <DrinkingAntelope size="large" />
          </div>
          <div className={styles.poses}>
            <LeapingAntelope size="small" />
            <GrazingAntelope size="small" />
            <LookingAntelope size="small" />
            <DrinkingAntelope size="small" />
            <Mark />
            <Coin asset="USDT" />
            <Coin asset="MOB" />
          </div>
        </Stack>
      </Card>
      <Card>
        <Stack gap={4}>
          <p className={text.hero}>Hero, in one leap</p>
          <p className={text.title}>A title says what to do</p>
          <p className={text.titleAmount}>Send exactly 250.00 USDT</p>
          <p className={text.heading}>A heading names the group</p>
          <p className={text.lede}>A lede explains in one sentence, at eighteen, in the muted ink of the page.</p>
          <p>Body is read at sixteen with room between the lines. Nothing is lost: this page will ask what you want.</p>
          <p className={text.small}>Small is fourteen and never smaller.</p>
          <p className={text.amount}>708.2859</p>
          <p className={text.code}>0x70997970C51812dc3A010C7d01b50e0d17dc79C8</p>
        </Stack>
      </Card>
      <Card>
        <Stack gap={4}>
          <h2>Roles</h2>
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
