import { Link } from "@remix-run/react";
import { Phone } from "~/components/welcome/phone";
import { Arrow } from "~/components/welcome/pieces";
import { Scene } from "~/components/welcome/scene";
import { paths } from "~/lib/paths";

export function Drawing() {
  return (
    <Scene label="Two telephones. On the first Payments is tapped in the settings, on the second Activate Payments.">
      <Phone
        x={28}
        y={34}
        title="Settings"
        rows={[{ words: "Account" }, { words: "Chats" }, { words: "Payments", tap: true }, { words: "Privacy" }]}
      />
      <Phone
        x={222}
        y={34}
        title="Payments"
        rows={[
          { words: "Send and receive", quiet: true },
          { words: "MobileCoin", quiet: true },
          { words: "Activate Payments", button: true, tap: true },
        ]}
      />
      <Arrow d="M186 152h26" x={214} y={152} turn={0} />
    </Scene>
  );
}

export function Words({ sandbox }: { sandbox: boolean }) {
  return (
    <>
      <ol>
        <li>Open Signal on your telephone and tap your picture, then Settings.</li>
        <li>Tap Payments, then Activate Payments, and agree to the terms.</li>
        <li>Signal asks for a PIN if you have none. Choose one you will not forget: it brings your coins back.</li>
      </ol>
      <p>
        No Payments in your settings? It is not offered in every country, and not on computers.{" "}
        <Link to={paths.welcomeStep("enable-signal")}>Every tap, and what can be in the way</Link>
      </p>
      {sandbox ? (
        <p>
          This is the sandbox: you can play without Signal. <a href={paths.sandbox}>Its own wallet</a> sends and
          receives MOB for you.
        </p>
      ) : null}
    </>
  );
}
