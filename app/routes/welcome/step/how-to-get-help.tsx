import { Link } from "@remix-run/react";
import { LookingAntelope } from "~/components/brand/looking-antelope";
import { fill, label, sheet, stroke } from "~/components/welcome/drawing.css";
import { Scene } from "~/components/welcome/scene";
import { paths } from "~/lib/paths";

export function Drawing() {
  return (
    <Scene label="An antelope looks round; a speech bubble asks: Where is my money?" animal={<LookingAntelope />}>
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

export function Words() {
  return (
    <>
      <p>
        Start at the page of your swap. It says where your money is, what comes next and by when, and it keeps itself up
        to date.
      </p>
      <ul>
        <li>
          <Link to={paths.doger}>Your tally</Link> lists every swap; open one to see each payment with its number on the
          ledger.
        </li>
        <li>
          <Link to={paths.vegas}>The big board</Link> tells whether swaps are taken and how the two ledgers are.
        </li>
        <li>We write to you by e-mail when a swap needs you. The page of the swap always says the same.</li>
        <li>
          Lost your passkey? Sign in with a code by e-mail and <Link to={paths.login()}>add a new one</Link>.
        </li>
      </ul>
      <p>Nobody of ours will ever ask for a recovery phrase, a PIN or a code. Who does is a thief.</p>
    </>
  );
}
