import type { Operator } from "../exchange.server/operator/operator";
import { OperatorError } from "../exchange.server/operator/operator-error";
import type { OperatorStatus, ReserveReport } from "../exchange.server/operator/report";
import { isAssetSymbol } from "../lib/assets";
import { redactUrls } from "../lib/redact-url";
import { StartupError } from "../lib/startup-error";

const usage = `npm run operate -- COMMAND
  status                      show which switches are on and what the treasury holds
  reserves                    show the last comparison of the books with the chains; exits with 1 if something is missing or it is out of date
  deposits                    show what is at funding addresses of USDT, with the path of each address's key
  books                       check the ledger; exits with 1 if it does not balance
  off swaps|payments REASON   stop new swaps, or stop preparing payments
  on swaps|payments           resume them
  hold ORDER REASON           put a funded order on hold; its owner sees REASON
  release ORDER               end the hold of an order
  refund ORDER                refund an order that is on hold, waiting for a decision, or whose payout is parked
  retry PAYMENT               prepare a parked payment again
  readdress PAYMENT ADDRESS   pay a parked payment to another address that its owner has saved in their account
  mark-paid PAYMENT HASH      book a parked payment that was made already, by our wallet or by hand
  mark-paid-out ORDER HASH    complete an order with a payout that our wallet has made and this database has lost
  float USDT|MOB AMOUNT       book an amount added to our wallet (-AMOUNT: taken from it)
  accept-payment HASH         account for a payment from our wallet that is missing from this database
  dismiss transfer:…          close the alert about a transfer that is older than its order
  write-off DEPOSIT           book the loss of a deposit that a reorg removed after it was paid out; undone if it comes back
  accept-nonce N              accept N as the next nonce of the Ethereum signer; then run "on payments" and "on swaps"
  rescan FROM TO [USDT|MOB]   read these blocks again and credit missed deposits (default: USDT)
  block ACCOUNT               block an account: its owner cannot use it, and its orders are held
  unblock ACCOUNT             end the block and all sessions; the exchange releases its orders if the owner may swap
  record ACCOUNT REASON       show what the law requires us to keep about a deleted account; REASON is stored with it
ACCOUNT is an account's ID, or one of its orders; for block and unblock, also its e-mail address.
ORDER is an order's ID, or the number that its owner sees, such as 1CRT-8K55-KRE.
With --json, each command prints one JSON document; if it fails, {"error": "…"}.`;

type Result = { exitCode: 0 | 1 | 2; stdout: string[]; stderr?: string };

/** What a command prints: lines for people, `json` for programs. */
type Outcome = { exitCode: 0 | 1; lines: string[]; json: unknown };

type Command = (operator: Operator) => Promise<Outcome>;

/** Asks for JSON, anywhere on the command line. */
export const jsonFlag = "--json";

/**
 * Runs one command line of `npm run operate`. Wrong arguments (exit code 2) do not open the database.
 * A failure (1) is one sentence on stderr, without a stack trace. With `--json`, stdout is one JSON document.
 */
export async function runOperatorCommand(args: string[], open: () => Promise<Operator>): Promise<Result> {
  const asJson = args.includes(jsonFlag);
  const toStdout = (lines: string[], json: unknown) => (asJson ? [JSON.stringify(json)] : lines);
  const command = parseCommand(args.filter((arg) => arg !== jsonFlag));
  if (!command) return { exitCode: 2, stdout: toStdout([usage], { error: "Wrong arguments.", usage }) };
  try {
    const operator = await open();
    try {
      const { exitCode, lines, json } = await command(operator);
      return { exitCode, stdout: toStdout(lines, json) };
    } finally {
      await operator.close();
    }
  } catch (error) {
    const message = toMessage(error);
    return { exitCode: 1, stdout: toStdout([], { error: message }), stderr: message };
  }
}

/** Commands that take one argument. */
const commandsOfOne = new Set(
  "on release refund retry accept-payment dismiss write-off accept-nonce block unblock".split(" "),
);

function parseCommand([name = "", first = "", ...rest]: string[]): Command | null {
  const text = rest.join(" ");
  if (commandsOfOne.has(name) && rest.length > 0) return null;
  const switchName = first === "swaps" || first === "payments" ? first : null;
  switch (name) {
    case "status":
      return showStatus;
    case "reserves":
      return showReserves;
    case "deposits":
      return showDeposits;
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
    case "mark-paid-out":
      return first && text ? toCommand((operator) => operator.markPaidOut(first, text)) : null;
    case "float":
      return isAssetSymbol(first) && text ? toCommand((operator) => operator.addFloat(first, text)) : null;
    case "accept-payment":
      return first ? toCommand((operator) => operator.acceptPayment(first)) : null;
    case "dismiss":
      return first ? toCommand((operator) => operator.dismissTransfer(first)) : null;
    case "write-off":
      return first ? toCommand((operator) => operator.writeOff(first)) : null;
    case "accept-nonce":
      return /^[0-9]{1,9}$/.test(first) ? toCommand((operator) => operator.acceptNonce(Number(first))) : null;
    case "rescan":
      return parseRescan(first, rest);
    case "block":
      return first ? toCommand((operator) => operator.block(first)) : null;
    case "unblock":
      return first ? toCommand((operator) => operator.unblock(first)) : null;
    case "record":
      return first && text ? (operator) => showRecord(operator, first, text) : null;
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
    return { exitCode: 0, lines: ["Done."], json: { done: true } };
  };
}

async function showStatus(operator: Operator): Promise<Outcome> {
  const status = await operator.getStatus();
  return { exitCode: 0, lines: describeStatus(status), json: status };
}

/** One line each; scripts read the first ones. */
function describeStatus({ swaps, payments, house, rescans, setAside, waiting }: OperatorStatus): string[] {
  return [
    `swaps: ${swaps.reason ?? "on"}`,
    `payments: ${payments.reason ?? "on"}`,
    `house: ${house.USDT} USDT`,
    `house: ${house.MOB} MOB`,
    ...rescans.map(({ asset, from, to, next }) => `rescan: ${asset} blocks ${from} to ${to}, now at ${next}`),
    ...setAside.map(
      ({ asset, amount, orders }) => `set aside: ${amount} ${asset} of ${orders} orders, too little to refund`,
    ),
    ...waiting.map(describeWaiting),
  ];
}

function describeWaiting({ subject, order, number, reason }: OperatorStatus["waiting"][number]): string {
  const id = order && !subject.includes(order) ? order : null;
  const name = number === null ? id : `${number}${id ? ` (${id})` : ""}`;
  return `waiting: ${subject}${name ? ` of order ${name}` : ""}: ${reason}`;
}

async function checkBooks(operator: Operator): Promise<Outcome> {
  const faults = await operator.checkBooks();
  const json = { balanced: faults.length === 0, faults };
  return faults.length > 0
    ? { exitCode: 1, lines: faults, json }
    : { exitCode: 0, lines: ["The books balance."], json };
}

async function showReserves(operator: Operator): Promise<Outcome> {
  const reserves = await operator.getReserves();
  const isFine = reserves.length === 2 && reserves.every(({ isShort, isRecent }) => !isShort && isRecent);
  const lines = reserves.length === 0 ? ["The exchange has not compared the books with the chains yet."] : [];
  return { exitCode: isFine ? 0 : 1, lines: [...lines, ...reserves.flatMap(describeReserves)], json: { reserves } };
}

function describeReserves(report: ReserveReport): string[] {
  const { asset, block, owed, owned, wallet, fundingAddresses, uncredited, difference, checkedAt } = report;
  return [
    `${asset}: owed ${owed}, owned ${owned} (wallet ${wallet}, funding addresses ${fundingAddresses}) at block ${block}`,
    `${asset}: difference ${difference}, not credited yet ${uncredited}, checked ${checkedAt}${report.isRecent ? "" : " (out of date)"}`,
  ];
}

async function showDeposits(operator: Operator): Promise<Outcome> {
  const deposits = await operator.listDeposits();
  const lines = deposits.map(
    ({ address, path, amount, number }) => `${address} ${path}: ${amount} USDT of order ${number}`,
  );
  return { exitCode: 0, lines: lines.length > 0 ? lines : ["There is nothing to collect."], json: { deposits } };
}

async function showRecord(operator: Operator, account: string, reason: string): Promise<Outcome> {
  const record = await operator.readRecord(account, reason);
  return { exitCode: 0, lines: [JSON.stringify(record, null, 2)], json: record };
}

function toMessage(error: unknown): string {
  if (error instanceof StartupError || error instanceof OperatorError) return redactUrls(error.message);
  return "The command failed unexpectedly: check DATABASE_URL.";
}
