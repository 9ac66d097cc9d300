import { Scene } from "./scene";
import { BigCoin, Caption, Tag } from "./shapes";

export const title = "USDT and MOB";

export function Illustration() {
  return (
    <Scene label="A USDT coin, worth about a dollar, and a MOB coin, whose price changes.">
      <BigCoin asset="USDT" x={118} y={122} size={112} />
      <BigCoin asset="MOB" x={282} y={122} size={112} />
      <Tag x={118} y={212} width={116}>
        USDT
      </Tag>
      <Tag x={282} y={212} width={116}>
        MOB
      </Tag>
      <Caption x={118} y={248}>
        about a dollar
      </Caption>
      <Caption x={282} y={248}>
        a changing price
      </Caption>
    </Scene>
  );
}

export function Content() {
  return (
    <>
      <p>
        <strong>USDT</strong> is a digital dollar: the company Tether promises a dollar for each one. It exists on
        Ethereum, a public blockchain, and you keep it in a wallet such as MetaMask. Sending it costs a small fee in
        ether, Ethereum's own coin.
      </p>
      <p>
        <strong>MOB</strong> is the coin of MobileCoin. It is made for phones, it arrives in seconds, and only you can
        see how much you have. Its price goes up and down.
      </p>
      <p>
        USDT also exists on other networks, but we accept it only on Ethereum. We usually can't get back USDT that was
        sent on another network.
      </p>
    </>
  );
}
