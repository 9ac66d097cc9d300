import { fill, label, sheet, stroke } from "~/components/welcome/drawing.css";
import { Scene } from "~/components/welcome/scene";
import type { Terms } from "~/components/welcome/terms";

const arms = [
  { y: 74, words: "Swap what came", to: "right" },
  { y: 118, words: "A new price", to: "left" },
  { y: 162, words: "Send it back", to: "right" },
] as const;

export function Drawing() {
  return (
    <Scene label="A signpost with three arms: Swap what came, A new price, Send it back.">
      <path className={stroke.ink} strokeWidth="9" d="M200 52v206" />
      {arms.map(({ y, words, to }) => (
        <g key={words} transform={`translate(200 ${y})`}>
          <path
            className={words === "Swap what came" ? fill.accent : sheet}
            d={to === "right" ? "M-66-17H92l18 17-18 17H-66z" : "M66-17H-92l-18 17 18 17H66z"}
          />
          <text
            className={`${words === "Swap what came" ? fill.onAccent : fill.ink} ${label}`}
            x={to === "right" ? 16 : -16}
            y="5"
            textAnchor="middle"
          >
            {words}
          </text>
        </g>
      ))}
      <path className={stroke.near} strokeWidth="4" d="M178 262c4-10 2-16-2-22M222 260c-2-10 2-16 8-20" />
    </Scene>
  );
}

export function Words({ terms }: { terms: Terms | null }) {
  return (
    <>
      <p>Nothing is lost: the page of your swap asks what you want.</p>
      <ul>
        <li>
          <strong>Too little:</strong> swap what came at the locked price while its time runs, or have it sent back.
        </li>
        <li>
          <strong>Too late:</strong> take a new price for what came, or have it sent back.
          {terms ? ` We allow ${terms.grace} beyond the time.` : ""}
        </li>
        <li>
          <strong>Too much:</strong> a little more is swapped along at the same price; what goes far beyond is sent back
          by itself.
        </li>
        <li>
          <strong>After it is done:</strong> whatever still arrives goes back by itself.
        </li>
      </ul>
      <p>
        If you choose nothing in time, it is sent back by itself. Back means: to the refund address that you gave before
        paying. What cannot be mended is another coin or another network than the page names; check both.
      </p>
    </>
  );
}
