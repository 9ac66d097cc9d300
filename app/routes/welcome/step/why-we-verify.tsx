import { fill, sheet, small, stroke } from "~/components/welcome/illustration.css";
import { Scene } from "./scene";

export const title = "Why we verify your identity";

export function Illustration() {
  return (
    <Scene label="An identity card with a portrait and a tick.">
      <g transform="rotate(-5 200 140)">
        <rect className={sheet} x="78" y="64" width="244" height="152" rx="18" />
        <rect className={fill.accentSoft} x="98" y="86" width="82" height="106" rx="12" />
        <circle className={fill.accent} cx="139" cy="124" r="19" />
        <path className={fill.accent} d="M108 192c0-24 13-38 31-38s31 14 31 38z" />
        <text className={`${fill.muted} ${small}`} x="198" y="106">
          Identity card
        </text>
        <path className={stroke.outline} strokeWidth="7" d="M201 128h96M201 150h74M201 172h88" />
      </g>
      <circle className={fill.good} cx="312" cy="206" r="32" />
      <path className={stroke.onAccent} strokeWidth="7" d="m297 207 11 11 20-22" />
    </Scene>
  );
}

export function Content() {
  return (
    <>
      <p>
        The law requires exchanges to know their customers. Before your first swap, we ask for your name, your date of
        birth and the number of an identity document. You only do this once.
      </p>
      <ul>
        <li>It usually takes a minute. Sometimes a person has to check the details, which can take a day.</li>
        <li>
          We keep your details encrypted and pass them only to our reviewer, and to authorities if the law requires it.
          They are never on a blockchain.
        </li>
        <li>If something is wrong, we tell you what it is, and you can correct your details and send them again.</li>
      </ul>
      <p>Once you have paid for a swap, we complete or refund it, whatever the outcome of the review.</p>
    </>
  );
}
