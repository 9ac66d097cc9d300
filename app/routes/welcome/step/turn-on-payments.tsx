import { Link } from "@remix-run/react";
import { Phone } from "~/components/welcome/phone";
import { paths } from "~/lib/paths";
import { useHasSandbox } from "~/loaded-data/root-data";
import { Scene } from "./scene";
import { Arrow } from "./shapes";

export const title = "Turn on payments in Signal";

export function Illustration() {
  return (
    <Scene label="Two phones. The first shows Settings with Payments selected, the second Payments with Activate Payments selected.">
      <Phone
        x={28}
        y={34}
        title="Settings"
        rows={[{ text: "Account" }, { text: "Chats" }, { text: "Payments", tap: true }, { text: "Privacy" }]}
      />
      <Phone
        x={222}
        y={34}
        title="Payments"
        rows={[
          { text: "Send and receive", muted: true },
          { text: "MobileCoin", muted: true },
          { text: "Activate Payments", button: true, tap: true },
        ]}
      />
      <Arrow d="M186 152h26" x={214} y={152} angle={0} />
    </Scene>
  );
}

export function Content() {
  return (
    <>
      <ol>
        <li>Open Signal on your phone, tap your profile picture, then Settings.</li>
        <li>Tap Payments, then Activate Payments, and accept the terms.</li>
        <li>
          If you have no Signal PIN, Signal asks you to create one. Remember it: you need it to recover your coins.
        </li>
      </ol>
      <p>
        No Payments in your settings? Signal doesn't offer payments in every country, or on computers.{" "}
        <Link to={paths.welcomeStep("enable-signal")}>Detailed steps and common problems</Link>
      </p>
      {useHasSandbox() ? (
        <p>
          This is a sandbox, so you can try everything without Signal. <a href={paths.sandbox}>The sandbox wallet</a>{" "}
          sends and receives MOB for you.
        </p>
      ) : null}
    </>
  );
}
