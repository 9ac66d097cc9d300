import type { MetaFunction } from "@remix-run/node";
import { HelpPage, HelpStep } from "~/components/welcome/help-page";
import { OutdatedNote, signalHelp } from "~/components/welcome/outdated-note";
import { PhoneScene } from "~/components/welcome/phone-scene";

// Signed-out visitors get this page from memory: server/public-page-request.server.ts.
export const meta: MetaFunction = () => [
  { title: "Turn on payments in Signal · Antelope" },
  {
    name: "description",
    content: "Step by step: activate payments in Signal, find your MOB address and pay from Signal.",
  },
];

/** R05: an explanation outside the nine steps. */
export default function EnableSignal() {
  return (
    <HelpPage
      title="Turn on payments in Signal"
      lede="You need your phone and about five minutes, and you only do it once."
      back={4}
    >
      <HelpStep
        title="1. Choose a PIN"
        illustration={
          <PhoneScene
            label="A phone showing the Account settings, with Signal PIN selected."
            title="Account"
            rows={[
              { text: "Signal PIN", tap: true },
              { text: "Registration Lock" },
              { text: "Your data", muted: true },
            ]}
          />
        }
      >
        <p>Tap your profile picture, then Settings, then Account. If you see “Create your PIN”, do that first.</p>
        <p>
          Payments require a PIN, and you need it to recover your coins on a new phone. Don't turn it off later, or you
          could lose your coins.
        </p>
      </HelpStep>
      <HelpStep
        title="2. Activate payments"
        illustration={
          <PhoneScene
            label="A phone showing Payments, with Activate Payments selected."
            title="Payments"
            rows={[
              { text: "Use Signal to send", muted: true },
              { text: "and receive MobileCoin", muted: true },
              { text: "Activate Payments", button: true, tap: true },
            ]}
          />
        }
      >
        <p>Go back to Settings and tap Payments, then Activate Payments. Read and accept the terms.</p>
        <p>
          If you don't see Payments, Signal doesn't offer payments in your country, or no longer does. You can use any
          other MobileCoin wallet instead.
        </p>
      </HelpStep>
      <HelpStep
        title="3. Write down the recovery phrase"
        illustration={
          <PhoneScene
            label="A phone showing the Payments menu, with Recovery phrase selected."
            title="Payments"
            rows={[
              { text: "Transfer to exchange" },
              { text: "Currency conversion" },
              { text: "Recovery phrase", tap: true },
              { text: "Help" },
            ]}
          />
        }
      >
        <p>In Payments, open the menu at the top and tap Recovery phrase. Write the 24 words on paper, in order.</p>
        <p>Anyone who has these words can take your coins. Never share them. We never ask for them.</p>
      </HelpStep>
      <HelpStep
        title="4. To receive MOB, copy your address"
        illustration={
          <PhoneScene
            label="A phone showing Add funds with the wallet address and, below it, the Copy button selected."
            title="Add funds"
            rows={[
              { text: "Your wallet address", muted: true },
              { text: "3CnfxAc2…FDNRVg" },
              { text: "Copy", button: true, tap: true },
            ]}
          />
        }
      >
        <p>
          In Payments, tap Add funds, then Copy. Send the address to yourself, or open this site on your phone, and
          paste it.
        </p>
        <p>The QR code on that screen contains the same address.</p>
      </HelpStep>
      <HelpStep
        title="5. To pay us, use Transfer to exchange"
        illustration={
          <PhoneScene
            label="A phone showing Transfer to exchange selected, then the address to scan or paste and the amount to enter."
            title="Payments"
            rows={[
              { text: "Transfer to exchange", tap: true },
              { text: "Scan or paste address", muted: true },
              { text: "Enter the amount", muted: true },
            ]}
          />
        }
      >
        <p>
          In the Payments menu, tap Transfer to exchange. Scan the QR code on your swap's page, or paste the address.
        </p>
        <p>
          Enter the amount exactly as shown on the page, because the QR code can't include it. Signal adds the network
          fee on top.
        </p>
      </HelpStep>
      <OutdatedNote />
      <p>
        Does your app look different? See{" "}
        <a href={`${signalHelp}#payments_activate`}>Signal's help on activating payments</a>.
      </p>
    </HelpPage>
  );
}
