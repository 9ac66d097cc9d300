import type { MetaFunction } from "@remix-run/node";
import { Link } from "@remix-run/react";
import { HelpPage, HelpStep } from "~/components/welcome/help-page";
import { MayBeOutOfDate } from "~/components/welcome/may-be-out-of-date";
import { PhoneScene } from "~/components/welcome/phone-scene";
import { paths } from "~/lib/paths";

export const meta: MetaFunction = () => [
  { title: "What is Signal? · Antelope" },
  {
    name: "description",
    content: "Signal is a private messenger with a purse for MOB. What it does and what it cannot.",
  },
];

/** R05 */
export default function WhatIsSignal() {
  return (
    <HelpPage title="What is Signal?" lede="A private messenger that can carry coins as well as words." back={3}>
      <HelpStep
        title="A messenger first"
        drawing={
          <PhoneScene
            label="A telephone with a chat: How are you?, Fine!, 12 MOB received."
            title="Ada"
            rows={[{ words: "How are you?" }, { words: "Fine! And you?" }, { words: "12 MOB received", button: true }]}
          />
        }
      >
        <p>
          Signal costs nothing, shows no advertisements and belongs to a foundation. Messages, calls and pictures are
          sealed from end to end: only you and the person you write to can open them.
        </p>
        <p>
          You find it as “Signal” in your telephone's store, or at <a href="https://signal.org/install">signal.org</a>.
          You need a telephone number.
        </p>
      </HelpStep>
      <HelpStep title="And a purse">
        <p>
          With payments turned on, Signal keeps MOB for you on your telephone. You send them to a friend from the chat,
          or to any MobileCoin address. Signal itself cannot see what you hold.
        </p>
        <ul>
          <li>It holds MOB and nothing else: no USDT, no ether.</li>
          <li>Payments work on Android and iPhone, not on computers.</li>
          <li>They are not offered in every country: Signal decides by your telephone number, and may change it.</li>
          <li>You may have other purses; any MobileCoin address can receive from us.</li>
        </ul>
      </HelpStep>
      <HelpStep title="Your coins are yours to keep">
        <p>
          Nobody can give lost coins back, Signal neither. What brings them back on a new telephone is your Signal PIN,
          or the 24 words of your recovery phrase. Keep both, on paper, away from the telephone.
        </p>
        <p>
          <Link to={paths.welcomeStep("enable-signal")}>Turn on payments, tap by tap</Link>
        </p>
      </HelpStep>
      <MayBeOutOfDate />
    </HelpPage>
  );
}
