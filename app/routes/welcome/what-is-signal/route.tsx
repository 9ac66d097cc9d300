import type { MetaFunction } from "@remix-run/node";
import { Link } from "@remix-run/react";
import { HelpPage, HelpStep } from "~/components/welcome/help-page";
import { OutdatedNote } from "~/components/welcome/outdated-note";
import { PhoneScene } from "~/components/welcome/phone-scene";
import { paths } from "~/lib/paths";

// Signed-out visitors get this page from memory: server/public-page-request.server.ts.
export const meta: MetaFunction = () => [
  { title: "What is Signal? · Antelope" },
  {
    name: "description",
    content: "Signal is a private messaging app with a wallet for MOB. What it can do, and what it can't.",
  },
];

/** R05: an explanation outside the nine steps. */
export default function WhatIsSignal() {
  return (
    <HelpPage title="What is Signal?" lede="A private messaging app that can also send money." back={3}>
      <HelpStep
        title="A messaging app"
        illustration={
          <PhoneScene
            label="A phone showing a chat: How are you? Fine! And you? 12 MOB received."
            title="Ada"
            rows={[{ text: "How are you?" }, { text: "Fine! And you?" }, { text: "12 MOB received", button: true }]}
          />
        }
      >
        <p>
          Signal is free, has no ads and belongs to a nonprofit foundation. Messages, calls and pictures are end-to-end
          encrypted: only you and the person you contact can access them.
        </p>
        <p>
          Get “Signal” from your phone's app store or from <a href="https://signal.org/install">signal.org</a>. You need
          a phone number.
        </p>
      </HelpStep>
      <HelpStep title="A wallet">
        <p>
          With payments turned on, Signal stores MOB on your phone. You can send it to a friend in a chat, or to any
          MobileCoin address. Signal itself can't see how much you have.
        </p>
        <ul>
          <li>It supports only MOB, not USDT or ether.</li>
          <li>Payments work on Android and iPhone, but not on computers.</li>
          <li>Payments aren't available in every country. It depends on your phone number, and the list can change.</li>
          <li>You can use another wallet: we can send to any MobileCoin address.</li>
        </ul>
      </HelpStep>
      <HelpStep title="Keep your coins safe">
        <p>
          Nobody can recover lost coins, not even Signal. To get your coins back on a new phone, you need your Signal
          PIN or the 24 words of your recovery phrase. Keep both on paper, away from your phone.
        </p>
        <p>
          <Link to={paths.welcomeStep("enable-signal")}>Turn on payments, step by step</Link>
        </p>
      </HelpStep>
      <OutdatedNote />
    </HelpPage>
  );
}
