import { fill, label, sheet, small, stroke } from "~/components/welcome/illustration.css";
import { Scene } from "./scene";
import { Padlock } from "./shapes";
import type { Terms } from "./terms";

export const title = "Prices and locks";
export const needsTerms = true;

export function Illustration() {
  return (
    <Scene label="A price tag with a countdown ring, and a padlock.">
      <g transform="rotate(-6 170 140)">
        <path
          className={sheet}
          d="M64 140 108 84a14 14 0 0 1 11-5h148a16 16 0 0 1 16 16v90a16 16 0 0 1-16 16H119a14 14 0 0 1-11-5z"
        />
        <circle className={fill.hillNear} cx="98" cy="140" r="8" />
        <text className={`${fill.muted} ${small}`} x="126" y="116">
          for 100 USDT
        </text>
        <text className={`${fill.ink} ${label}`} x="126" y="142">
          you receive
        </text>
        <path className={stroke.outline} strokeWidth="8" d="M130 164h70" />
        <circle className={stroke.line} cx="244" cy="150" r="20" strokeWidth="7" />
        <circle
          className={stroke.good}
          cx="244"
          cy="150"
          r="20"
          strokeWidth="7"
          pathLength="100"
          strokeDasharray="70 100"
          transform="rotate(-90 244 150)"
        />
      </g>
      <Padlock x={316} y={176} scale={1.5} />
    </Scene>
  );
}

export function Content({ terms }: { terms: Terms | null }) {
  return (
    <>
      <p>
        A <strong>price</strong> is for your exact amount, including our fee{terms ? ` of ${terms.fee}` : ""}. You
        receive exactly the amount it shows.
      </p>
      <p>
        Because prices change, each is valid for only {terms ? terms.quoteValidity : "about a minute"}. Then the page
        gets a new one. Getting a price is free.
      </p>
      <p>
        When you <strong>lock</strong> a price, you accept it, and it stays fixed
        {terms ? ` for ${terms.lockDuration}` : ""}. That is your time to pay. A USDT payment counts from the time of
        its block, a MOB payment from when we first see it. The confirmations can come later.
      </p>
      {terms ? (
        <p>
          A swap can be worth {terms.minAmount} to {terms.maxAmount} USDT.
        </p>
      ) : null}
    </>
  );
}
