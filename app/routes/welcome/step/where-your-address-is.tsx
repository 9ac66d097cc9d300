import { fill, sheet, small } from "~/components/welcome/drawing.css";
import { Phone } from "~/components/welcome/phone";
import { Scene } from "~/components/welcome/scene";

export function Drawing() {
  return (
    <Scene label="A telephone shows Add funds with a wallet address and a Copy button; beside it the long address it copies.">
      <Phone
        x={44}
        y={34}
        title="Add funds"
        rows={[
          { words: "Your wallet address", quiet: true },
          { words: "3CnfxAc2…FDNRVg" },
          { words: "Copy", button: true, tap: true },
        ]}
      />
      <g transform="translate(222 66)">
        <rect className={sheet} width="150" height="136" rx="14" />
        {[
          "3CnfxAc2LvKw4FDNRV",
          "gizb7ndKWUWujZk8V7",
          "TmqNmyrJVCV9wzGUzs",
          "T3v1M9h52X3FLhoVsL",
          "…and on: 237 or more",
        ].map((line, at) => (
          <text
            key={line}
            className={`${at === 4 ? fill.muted : fill.ink} ${small}`}
            x="14"
            y={28 + at * 23}
            textLength={at === 4 ? undefined : 122}
          >
            {line}
          </text>
        ))}
      </g>
    </Scene>
  );
}

export function Words() {
  return (
    <>
      <p>An address is where coins go to, like an account number. To find yours in Signal:</p>
      <ol>
        <li>Open Settings, then Payments.</li>
        <li>Tap Add funds.</li>
        <li>Tap Copy: the screen shows the address cut short, the copy is whole.</li>
        <li>Paste it here, under Addresses, or where a swap asks for it.</li>
      </ol>
      <p>
        It is long, some 240 letters and digits. Never type it by hand; we check every sign of it before anything is
        sent. It holds for every swap, so you paste it once.
      </p>
    </>
  );
}
