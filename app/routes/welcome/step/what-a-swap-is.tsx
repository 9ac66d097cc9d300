import { LeapingAntelope } from "~/components/brand/leaping-antelope";
import { Arrow, BigCoin, Caption } from "~/components/welcome/pieces";
import { Scene } from "~/components/welcome/scene";

export function Drawing() {
  return (
    <Scene label="An antelope leaps from a USDT coin to a MOB coin." animal={<LeapingAntelope />} pace="leaping">
      <BigCoin asset="USDT" x={70} y={196} />
      <BigCoin asset="MOB" x={330} y={196} />
      <Caption x={70} y={258}>
        you send
      </Caption>
      <Caption x={330} y={258}>
        you receive
      </Caption>
      <Arrow d="M88 130C130 50 260 40 312 126" x={314} y={130} turn={62} />
    </Scene>
  );
}

export function Words() {
  return (
    <>
      <p>You give one kind of coin and get another, worth the same less a small fee. That is a swap.</p>
      <p>
        Here it goes between <strong>USDT</strong> and <strong>MOB</strong>, in both directions, in four moves:
      </p>
      <ol>
        <li>Ask for a price.</li>
        <li>Lock it, and say where your coins shall go.</li>
        <li>Send yours to the address on the screen.</li>
        <li>Receive the others in your own wallet.</li>
      </ol>
      <p>We hold your coins only while the swap runs. Nobody can call them back once they are sent, so look twice.</p>
    </>
  );
}
