import { Link } from "@remix-run/react";
import { Antelope } from "~/components/brand/antelope";
import { ContactSupport } from "~/components/shell/contact-support";
import { fill, label, sheet, stroke } from "~/components/welcome/illustration.css";
import { paths } from "~/lib/paths";
import { useSiteTerms } from "~/loaded-data/root-data";
import { Scene } from "./scene";

export const title = "Getting help";

export function Illustration() {
  return (
    <Scene
      label="An antelope looks around. A speech bubble asks: Where is my money?"
      antelope={<Antelope pose="looking" />}
    >
      <path
        className={sheet}
        d="M32 54a18 18 0 0 1 18-18h112a18 18 0 0 1 18 18v34a18 18 0 0 1-18 18h-14l10 22-34-22H50a18 18 0 0 1-18-18z"
      />
      <text className={`${fill.ink} ${label}`} x="106" y="66" textAnchor="middle">
        Where is
      </text>
      <text className={`${fill.ink} ${label}`} x="106" y="88" textAnchor="middle">
        my money?
      </text>
      <circle className={fill.accent} cx="330" cy="84" r="26" opacity=".85" />
      <path
        className={stroke.accent}
        strokeWidth="5"
        d="M330 40v-8M330 136v-8M374 84h8M278 84h8M361 53l6-6M293 121l6-6M361 115l6 6M293 47l6 6"
      />
    </Scene>
  );
}

export function Content() {
  return (
    <>
      <p>
        Start with your swap's page. It shows where your money is, what happens next and when, and it updates
        automatically.
      </p>
      <ul>
        <li>
          <Link to={paths.doger}>Activity</Link> lists all your swaps. Open one to see each payment with its transaction
          hash.
        </li>
        <li>
          <a href={paths.status}>Status</a> shows whether you can start a swap, and the status of both blockchains.
        </li>
        <li>We e-mail you when a swap needs your attention. The swap's page always shows the same information.</li>
        <li>
          Lost your passkey? Sign in with a code sent by e-mail and <Link to={paths.login()}>add a new one</Link>. To
          protect you, new swaps are then <a href={paths.answer("sign-in")}>paid out later than usual</a>.
        </li>
      </ul>
      <SupportParagraph />
      <p>
        We never ask for a code, a PIN, a passkey or a recovery phrase by e-mail, by phone or in a chat. Anyone who does
        is trying to steal from you.
      </p>
    </>
  );
}

function SupportParagraph() {
  const { supportEmail } = useSiteTerms();
  if (supportEmail === null) return null;
  return (
    <p>
      <ContactSupport> if you still have a question.</ContactSupport>
    </p>
  );
}
