import { fill, label, sheet, stroke } from "~/components/welcome/illustration.css";
import { Scene } from "./scene";
import type { Terms } from "./terms";

const arms = [
  { y: 74, text: "Swap it anyway", to: "right" },
  { y: 118, text: "A new price", to: "left" },
  { y: 162, text: "Get it back", to: "right" },
] as const;

export const title = "Late or wrong payments";
export const needsTerms = true;

export function Illustration() {
  return (
    <Scene label="A signpost with three arms: Swap it anyway, A new price, Get it back.">
      <path className={stroke.ink} strokeWidth="9" d="M200 52v206" />
      {arms.map(({ y, text, to }) => (
        <g key={text} transform={`translate(200 ${y})`}>
          <path
            className={text === "Swap it anyway" ? fill.accent : sheet}
            d={to === "right" ? "M-66-17H92l18 17-18 17H-66z" : "M66-17H-92l-18 17 18 17H66z"}
          />
          <text
            className={`${text === "Swap it anyway" ? fill.onAccent : fill.ink} ${label}`}
            x={to === "right" ? 16 : -16}
            y="5"
            textAnchor="middle"
          >
            {text}
          </text>
        </g>
      ))}
      <path className={stroke.hillNear} strokeWidth="4" d="M178 262c4-10 2-16-2-22M222 260c-2-10 2-16 8-20" />
    </Scene>
  );
}

export function Content({ terms }: { terms: Terms | null }) {
  return (
    <>
      <p>Your money is not lost. What happens depends on the payment:</p>
      <ul>
        <li>
          <strong>Too little:</strong> send the rest or swap what arrived while the price is locked, or get it back.
        </li>
        <li>
          <strong>Too late:</strong> swap what arrived at a new price, or get it back.
          {terms ? ` We allow ${terms.grace} after the deadline.` : ""}
        </li>
        <li>
          <strong>Too much:</strong> we swap a small excess at the same price, and send back a large one automatically.
        </li>
        <li>
          <strong>After we have started to pay out:</strong> we automatically send back anything that still arrives.
        </li>
      </ul>
      <p>
        If you don't choose in time, we send the money back automatically. Refunds go to the refund address you gave
        before paying, less the network fee. We usually can't recover payments in another coin or on another network, so
        check both.
      </p>
    </>
  );
}
