import type { MetaFunction } from "@remix-run/node";
import { HelpPage, HelpStep } from "~/components/welcome/help-page";
import { MayBeOutOfDate, signalHelp } from "~/components/welcome/may-be-out-of-date";
import { PhoneScene } from "~/components/welcome/phone-scene";

export const meta: MetaFunction = () => [
  { title: "Turn on payments in Signal · Antelope" },
  { name: "description", content: "Tap by tap: activate payments in Signal, find your MOB address, pay from Signal." },
];

/** R05 */
export default function EnableSignal() {
  return (
    <HelpPage title="Turn on payments in Signal" lede="Five minutes, once, on your telephone." back={4}>
      <HelpStep
        title="1. Choose a PIN"
        drawing={
          <PhoneScene
            label="A telephone: Settings, Account, and Signal PIN is tapped."
            title="Account"
            rows={[
              { words: "Signal PIN", tap: true },
              { words: "Registration Lock" },
              { words: "Your data", quiet: true },
            ]}
          />
        }
      >
        <p>Tap your picture, then Settings, then Account. If it says “Create your PIN”, do that first.</p>
        <p>
          Payments need it, and it brings your coins back on a new telephone. Do not turn it off later: then what you
          held can be lost.
        </p>
      </HelpStep>
      <HelpStep
        title="2. Activate payments"
        drawing={
          <PhoneScene
            label="A telephone: on the Payments page Activate Payments is tapped."
            title="Payments"
            rows={[
              { words: "Use Signal to send", quiet: true },
              { words: "and receive MobileCoin", quiet: true },
              { words: "Activate Payments", button: true, tap: true },
            ]}
          />
        }
      >
        <p>Go back to Settings, tap Payments, then Activate Payments. Read the terms, then agree.</p>
        <p>
          No Payments there? Signal does not offer them in your country, or has stopped them. Any other MobileCoin
          wallet can take their place.
        </p>
      </HelpStep>
      <HelpStep
        title="3. Write down the recovery phrase"
        drawing={
          <PhoneScene
            label="A telephone: in the menu of Payments Recovery phrase is tapped."
            title="Payments"
            rows={[
              { words: "Transfer to exchange" },
              { words: "Currency conversion" },
              { words: "Recovery phrase", tap: true },
              { words: "Help" },
            ]}
          />
        }
      >
        <p>In Payments open the menu at the top and tap Recovery phrase. Write its 24 words on paper, in order.</p>
        <p>Whoever has them has your coins. Show them to nobody; we never ask for them.</p>
      </HelpStep>
      <HelpStep
        title="4. To receive: copy your address"
        drawing={
          <PhoneScene
            label="A telephone: on Add funds the wallet address stands over a Copy button, which is tapped."
            title="Add funds"
            rows={[
              { words: "Your wallet address", quiet: true },
              { words: "3CnfxAc2…FDNRVg" },
              { words: "Copy", button: true, tap: true },
            ]}
          />
        }
      >
        <p>
          In Payments tap Add funds, then Copy. Send it to yourself, or open this site on your telephone, and paste.
        </p>
        <p>The code on that screen holds the same address, for a camera.</p>
      </HelpStep>
      <HelpStep
        title="5. To pay us: Transfer to exchange"
        drawing={
          <PhoneScene
            label="A telephone: Transfer to exchange is tapped; then the address is scanned and the amount typed."
            title="Payments"
            rows={[
              { words: "Transfer to exchange", tap: true },
              { words: "Scan or paste address", quiet: true },
              { words: "Type the amount", quiet: true },
            ]}
          />
        }
      >
        <p>
          In the menu of Payments tap Transfer to exchange. Scan the code on your swap's page, or paste its address.
        </p>
        <p>
          Type the amount by hand, exactly as the page says: the code cannot carry it. Signal adds the network's fee on
          top.
        </p>
      </HelpStep>
      <MayBeOutOfDate />
      <p>
        Something looks different? <a href={`${signalHelp}#payments_activate`}>Signal's help: activate payments</a>
      </p>
    </HelpPage>
  );
}
