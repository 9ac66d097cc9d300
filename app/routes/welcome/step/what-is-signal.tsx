import { Link } from "@remix-run/react";
import { fill, sheet, small } from "~/components/welcome/illustration.css";
import { paths } from "~/lib/paths";
import { Scene } from "./scene";
import { BigCoin, Padlock } from "./shapes";

export const title = "What is Signal?";

export function Illustration() {
  return (
    <Scene label="Two speech bubbles with a padlock between them: one holds a message, the other a MOB payment.">
      <path
        className={sheet}
        d="M44 62a18 18 0 0 1 18-18h136a18 18 0 0 1 18 18v44a18 18 0 0 1-18 18H92l-26 22v-22h-4a18 18 0 0 1-18-18z"
      />
      <text className={`${fill.ink} ${small}`} x="66" y="78">
        Thanks for lunch!
      </text>
      <text className={`${fill.ink} ${small}`} x="66" y="100">
        Here's my half:
      </text>
      <path
        className={fill.accent}
        d="M356 152a18 18 0 0 0-18-18H218a18 18 0 0 0-18 18v44a18 18 0 0 0 18 18h90l26 22v-22h4a18 18 0 0 0 18-18z"
      />
      <BigCoin asset="MOB" x={236} y={174} size={44} />
      <text className={`${fill.onAccent} ${small}`} x="268" y="179">
        12 MOB sent
      </text>
      <Padlock x={128} y={192} />
    </Scene>
  );
}

export function Content() {
  return (
    <>
      <p>
        Signal is a free messaging app for phones. Your messages are encrypted on your phone and decrypted on your
        friend's phone. Nobody in between can read them, not even Signal.
      </p>
      <p>
        Signal also has a wallet. Its payments use MOB and are as easy to send as a message, so it is a convenient place
        for the MOB you receive here.
      </p>
      <p>
        Do you use another MobileCoin wallet? That works too.{" "}
        <Link to={paths.welcomeStep("what-is-signal")}>More about Signal</Link>
      </p>
    </>
  );
}
