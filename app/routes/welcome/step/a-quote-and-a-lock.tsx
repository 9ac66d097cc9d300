import { fill, label, sheet, small, stroke } from "~/components/welcome/drawing.css";
import { Padlock } from "~/components/welcome/pieces";
import { Scene } from "~/components/welcome/scene";
import type { Terms } from "~/components/welcome/terms";

export function Drawing() {
  return (
    <Scene label="A price tag with a ring that empties, and a padlock that keeps it.">
      <g transform="rotate(-6 170 140)">
        <path
          className={sheet}
          d="M64 140 108 84a14 14 0 0 1 11-5h148a16 16 0 0 1 16 16v90a16 16 0 0 1-16 16H119a14 14 0 0 1-11-5z"
        />
        <circle className={fill.near} cx="98" cy="140" r="8" />
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

export function Words({ terms }: { terms: Terms | null }) {
  return (
    <>
      <p>
        A <strong>quote</strong> is a price for exactly your amount, with our fee{terms ? ` of ${terms.fee}` : ""} in
        it. What it says you receive is what arrives.
      </p>
      <p>
        An open quote holds {terms ? terms.quoteHolds : "for about a minute"}, because prices move. If it runs out, take
        a fresh one; nothing is lost and nothing is owed.
      </p>
      <p>
        To <strong>lock</strong> it is to say yes. From then the price stands still
        {terms ? ` for ${terms.lockHolds}` : ""}, and that is your time to pay. The chain's own confirmations do not
        count against you: what counts is when your payment is first seen.
      </p>
      {terms ? (
        <p>
          A swap is worth {terms.least} to {terms.most} USDT.
        </p>
      ) : null}
    </>
  );
}
