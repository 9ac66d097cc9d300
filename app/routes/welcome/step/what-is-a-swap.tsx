import { Antelope } from "~/components/brand/antelope";
import { Scene } from "./scene";
import { Arrow, BigCoin, Caption } from "./shapes";

export const title = "What is a swap?";

export function Illustration() {
  return (
    <Scene
      label="An antelope leaps from a USDT coin to a MOB coin."
      antelope={<Antelope pose="leaping" />}
      pose="leaping"
    >
      <BigCoin asset="USDT" x={70} y={196} />
      <BigCoin asset="MOB" x={330} y={196} />
      <Caption x={70} y={258}>
        you send
      </Caption>
      <Caption x={330} y={258}>
        you receive
      </Caption>
      <Arrow d="M88 130C130 50 260 40 312 126" x={314} y={130} angle={62} />
    </Scene>
  );
}

export function Content() {
  return (
    <>
      <p>In a swap, you give one kind of coin and get another of the same value, minus a small fee.</p>
      <p>
        Here you can swap <strong>USDT</strong> for <strong>MOB</strong>, or MOB for USDT, in four steps:
      </p>
      <ol>
        <li>Get a price.</li>
        <li>Choose where your coins go, and lock the price.</li>
        <li>Send your coins to the address on the screen.</li>
        <li>Receive the other coins in your own wallet.</li>
      </ol>
      <p>We hold your coins only during the swap. Payments can't be reversed, so check everything before you send.</p>
    </>
  );
}
