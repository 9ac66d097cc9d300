import { fill, sheet, small, stroke } from "~/components/welcome/drawing.css";
import { Scene } from "~/components/welcome/scene";

export function Drawing() {
  return (
    <Scene label="An identity card with a portrait, and a tick beside it.">
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

export function Words() {
  return (
    <>
      <p>
        The law wants whoever changes coins for others to know them. So before your first swap we ask for your name,
        your date of birth and the number of a document. Once.
      </p>
      <ul>
        <li>It usually takes a minute. At times a person has to look, and it takes a day.</li>
        <li>Your details go to the reviewer and to nobody else. They are on no ledger.</li>
        <li>If something is missing, you read what it is and send it again.</li>
      </ul>
      <p>A swap that is paid goes on, or comes back to you, whatever becomes of the review.</p>
    </>
  );
}
