import { Link } from "@remix-run/react";
import { fill, sheet, small } from "~/components/welcome/drawing.css";
import { BigCoin, Padlock } from "~/components/welcome/pieces";
import { Scene } from "~/components/welcome/scene";
import { paths } from "~/lib/paths";

export function Drawing() {
  return (
    <Scene label="Two speech bubbles with a padlock between them: one carries words, one carries MOB.">
      <path
        className={sheet}
        d="M44 62a18 18 0 0 1 18-18h136a18 18 0 0 1 18 18v44a18 18 0 0 1-18 18H92l-26 22v-22h-4a18 18 0 0 1-18-18z"
      />
      <text className={`${fill.ink} ${small}`} x="66" y="78">
        Lunch was on you,
      </text>
      <text className={`${fill.ink} ${small}`} x="66" y="100">
        so here is my half:
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

export function Words() {
  return (
    <>
      <p>
        Signal is a free messenger for telephones. What you write is sealed on your telephone and opened on your
        friend's: nobody between can read it, not even Signal.
      </p>
      <p>
        It has a purse as well. Its payments are in MOB, and they go from one person to another as simply as a message.
        That makes Signal an easy home for the MOB you receive here.
      </p>
      <p>
        You have another MobileCoin wallet? It does as well.{" "}
        <Link to={paths.welcomeStep("what-is-signal")}>More about Signal</Link>
      </p>
    </>
  );
}
