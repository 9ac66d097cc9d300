/**
 * `npm run operate -- COMMAND …`: what an operator may do to a running exchange. The same
 * environment as the site's; DATABASE_URL is needed.
 */
import { getConfig } from "../config.server";
import { openOperator } from "../exchange.server/operator";
import { isAssetSymbol } from "../lib/assets";
import { getLog } from "../log.server";

const usage = `npm run operate -- COMMAND
  status                      what is on, and what the house holds
  books                       check the books; exits 1 where they do not balance
  off swaps|payments REASON   stop new swaps, or stop preparing payments
  on swaps|payments           go on
  hold ORDER REASON           keep a funded order from going on
  release ORDER               let it go on
  refund ORDER                send back what is held for it
  float USDT|MOB AMOUNT       book what you brought to our wallet (-AMOUNT: what you took)
  accept-nonce N              pay on from this nonce of the Ethereum signer`;

async function operate([command = "", first = "", ...rest]: string[]): Promise<string[]> {
  const operator = await openOperator(getConfig(), getLog());
  try {
    const text = rest.join(" ");
    const name = first === "swaps" || first === "payments" ? first : null;
    if (command === "status") return await operator.describe();
    if (command === "books") {
      const faults = await operator.checkBooks();
      if (faults.length > 0) process.exitCode = 1;
      return faults.length > 0 ? faults : ["The books balance."];
    }
    if (command === "off" && name && text) await operator.turnOff(name, text);
    else if (command === "on" && name) await operator.turnOn(name);
    else if (command === "hold" && first && text) await operator.hold(first, text);
    else if (command === "release" && first) await operator.release(first);
    else if (command === "refund" && first) await operator.refund(first);
    else if (command === "float" && isAssetSymbol(first) && rest[0]) await operator.addFloat(first, rest[0]);
    else if (command === "accept-nonce" && /^[0-9]+$/.test(first)) await operator.acceptNonce(Number(first));
    else {
      process.exitCode = 2;
      return [usage];
    }
    return ["Done."];
  } finally {
    await operator.close();
  }
}

process.stdout.write(`${(await operate(process.argv.slice(2))).join("\n")}\n`);
