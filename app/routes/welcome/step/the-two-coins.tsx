import { BigCoin, Caption, Tag } from "~/components/welcome/pieces";
import { Scene } from "~/components/welcome/scene";

export function Drawing() {
  return (
    <Scene label="A USDT coin, worth about a dollar, and a MOB coin, whose price moves.">
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
        a price that moves
      </Caption>
    </Scene>
  );
}

export function Words() {
  return (
    <>
      <p>
        <strong>USDT</strong> is a dollar in digital form: a company, Tether, promises a dollar for each. It lives on
        Ethereum, a public ledger, and in wallets such as MetaMask. Sending it there costs a little ether, the ledger's
        own coin.
      </p>
      <p>
        <strong>MOB</strong> is MobileCoin's coin. It is made for telephones, arrives in seconds, and only you see what
        you hold. Its price goes up and down.
      </p>
      <p>USDT exists on other networks too. Here it is always the one on Ethereum; from elsewhere it would be lost.</p>
    </>
  );
}
