import { type Operator, OperatorError } from "../exchange.server/operator";
import { isAssetSymbol } from "../lib/assets";
import { redactUrls } from "../lib/redact-url";
import { StartupError } from "../lib/startup-error";

const usage = `npm run operate -- COMMAND
  status                      show which switches are on and what the treasury holds
  books                       check the ledger; exits with 1 if it does not balance
  off swaps|payments REASON   stop new swaps, or stop preparing payments
  on swaps|payments           resume them
  hold ORDER REASON           put a funded order on hold; its owner sees REASON
  release ORDER               end the hold of an order
  refund ORDER                refund an order that is on hold, waiting for a decision, or whose payout is parked
  retry PAYMENT               prepare a parked payment again
  readdress PAYMENT ADDRESS   pay a parked payment to another address that its owner has saved in their account
  mark-paid PAYMENT HASH      book a parked payment that you made by hand, with its transaction's hash
  float USDT|MOB AMOUNT       book an amount added to our wallet (-AMOUNT: taken from it)
  accept-nonce N              continue paying at nonce N of the Ethereum signer
  rescan FROM TO [USDT|MOB]   read these blocks again and credit missed deposits (default: USDT)`;

type Result = { exitCode: 0 | 1 | 2; stdout: string[]; stderr?: string };

type Command = (operator: Operator) => Promise<Result>;

/**
 * Runs one command line of `npm run operate`. Wrong arguments (exit code 2) do not open the database.
 * A failure (1) is one sentence on stderr, without a stack trace.
 */
export async function runOperatorCommand(args: string[], open: () => Promise<Operator>): Promise<Result> {
  const command = parseCommand(args);
  if (!command) return { exitCode: 2, stdout: [usage] };
  try {
    const operator = await open();
    try {
      return await command(operator);
    } finally {
      await operator.close();
    }
  } catch (error) {
    return { exitCode: 1, stdout: [], stderr: toMessage(error) };
  }
}

function parseCommand([name = "", first = "", ...rest]: string[]): Command | null {
  const text = rest.join(" ");
  const switchName = first === "swaps" || first === "payments" ? first : null;
  switch (name) {
    case "status":
      return async (operator) => ({ exitCode: 0, stdout: await operator.describe() });
    case "books":
      return checkBooks;
    case "off":
      return switchName && text ? toCommand((operator) => operator.turnOff(switchName, text)) : null;
    case "on":
      return switchName && toCommand((operator) => operator.turnOn(switchName));
    case "hold":
      return first && text ? toCommand((operator) => operator.hold(first, text)) : null;
    case "release":
      return first ? toCommand((operator) => operator.release(first)) : null;
    case "refund":
      return first ? toCommand((operator) => operator.refund(first)) : null;
    case "retry":
      return first ? toCommand((operator) => operator.retryPayment(first)) : null;
    case "readdress":
      return first && text ? toCommand((operator) => operator.readdressPayment(first, text)) : null;
    case "mark-paid":
      return first && text ? toCommand((operator) => operator.markPaid(first, text)) : null;
    case "float":
      return isAssetSymbol(first) && text ? toCommand((operator) => operator.addFloat(first, text)) : null;
    case "accept-nonce":
      return /^[0-9]{1,9}$/.test(first) ? toCommand((operator) => operator.acceptNonce(Number(first))) : null;
    case "rescan":
      return parseRescan(first, rest);
    default:
      return null;
  }
}

function parseRescan(from: string, [to = "", asset = "USDT"]: string[]): Command | null {
  const isBlock = (text: string) => /^[0-9]{1,12}$/.test(text);
  if (!isBlock(from) || !isBlock(to) || !isAssetSymbol(asset)) return null;
  return toCommand((operator) => operator.rescan(asset, Number(from), Number(to)));
}

function toCommand(action: (operator: Operator) => Promise<void>): Command {
  return async (operator) => {
    await action(operator);
    return { exitCode: 0, stdout: ["Done."] };
  };
}

async function checkBooks(operator: Operator): Promise<Result> {
  const faults = await operator.checkBooks();
  return faults.length > 0 ? { exitCode: 1, stdout: faults } : { exitCode: 0, stdout: ["The books balance."] };
}

function toMessage(error: unknown): string {
  if (error instanceof StartupError || error instanceof OperatorError) return redactUrls(error.message);
  return "The command failed unexpectedly: check DATABASE_URL.";
}
