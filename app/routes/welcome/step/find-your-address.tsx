import { code, fill, sheet, small } from "~/components/welcome/illustration.css";
import { Phone } from "~/components/welcome/phone";
import { Scene } from "./scene";

export const title = "Find your MOB address";

export function Illustration() {
  return (
    <Scene label="A phone shows Add funds with a wallet address and a Copy button. Beside it is the long address that it copies.">
      <Phone
        x={44}
        y={34}
        title="Add funds"
        rows={[
          { text: "Your wallet address", muted: true },
          { text: "3CnfxAc2…FDNRVg" },
          { text: "Copy", button: true, tap: true },
        ]}
      />
      <g transform="translate(222 66)">
        <rect className={sheet} width="150" height="136" rx="14" />
        {[
          "3CnfxAc2LvKw4FDNRV",
          "gizb7ndKWUWujZk8V7",
          "TmqNmyrJVCV9wzGUzs",
          "T3v1M9h52X3FLhoVsL",
          "…about 240 in total",
        ].map((line, at) => (
          <text
            key={line}
            className={at === 4 ? `${fill.muted} ${small}` : `${fill.ink} ${code}`}
            x="14"
            y={28 + at * 23}
          >
            {line}
          </text>
        ))}
      </g>
    </Scene>
  );
}

export function Content() {
  return (
    <>
      <p>Coins are sent to an address, which is like an account number. To find yours in Signal:</p>
      <ol>
        <li>Open Settings, then Payments.</li>
        <li>Tap Add funds.</li>
        <li>Tap Copy. The screen shortens the address, but Copy copies all of it.</li>
        <li>Paste it here, under Addresses or when a swap asks for it.</li>
      </ol>
      <p>
        The address has about 240 letters and digits, so don't type it by hand. We check every character before we send
        anything. You can use the same address for every swap, so you only paste it once.
      </p>
    </>
  );
}
