import { type StopsToEnd, toEndedLine } from "../exchange.server/operator/end-stops";
import type { Operator } from "../exchange.server/operator/operator";
import { OperatorError } from "../exchange.server/operator/operator-error";
import { type OrderReport, toPaymentLine } from "../exchange.server/operator/order-report";
import type { OperatorStatus, ReserveReport } from "../exchange.server/operator/report";
import { type AssetSymbol, assetSymbols, isAssetSymbol } from "../lib/assets";
import { escapeControls } from "../lib/escape-controls";
import { joinSentences } from "../lib/join-sentences";
import { toPrintable } from "../lib/one-line";
import { redactUrls } from "../lib/redact-url";
import { StartupError } from "../lib/startup-error";

type Result = { exitCode: 0 | 1 | 2; stdout: string[]; stderr?: string };

/** What a command prints: lines for people, `json` for programs. */
type Outcome = { exitCode: 0 | 1; lines: string[]; json: unknown };

/** A command with its arguments. */
type Call = (operator: Operator) => Promise<Outcome>;

type Command = { name: string; usage: string; help: string; parse(words: string[]): Call | null };

/**
 * An argument of a command. `parse` returns null if the text is not valid. The last argument gets all remaining words.
 */
type Argument<T> = { name: string; parse(text: string): T | null };

const word = (name: string): Argument<string> => ({ name, parse: (text) => (/^\S+$/.test(text) ? text : null) });
const sentence = (name: string): Argument<string> => ({ name, parse: (text) => (text === "" ? null : text) });
const number = (name: string, digits: number): Argument<number> => ({
  name,
  parse: (text) => (/^[0-9]+$/.test(text) && text.length <= digits ? Number(text) : null),
});
const switchName: Argument<"swaps" | "payments"> = {
  name: "swaps|payments",
  parse: (text) => (text === "swaps" || text === "payments" ? text : null),
};
const asset: Argument<AssetSymbol> = { name: "USDT|MOB", parse: (text) => (isAssetSymbol(text) ? text : null) };
const assetOrUsdt: Argument<AssetSymbol> = { name: "[USDT|MOB]", parse: (text) => asset.parse(text || "USDT") };

/** What `operate on` ends. */
const stopsToEnd: Argument<StopsToEnd | undefined> = {
  name: "[CAUSE|--all]",
  parse: (text) => {
    if (text === "") return undefined;
    if (text === "--all") return "all";
    // `on swaps payments` is a mistake, not a cause.
    return switchName.parse(text) === null ? { cause: text } : null;
  },
};
const again: Argument<boolean> = {
  name: "[--again]",
  parse: (text) => (text === "" ? false : text === "--again" ? true : null),
};

const order = word("ORDER");
const payment = word("PAYMENT");
const account = word("ACCOUNT");
const hash = word("HASH");
const optionalAmount: Argument<string | undefined> = {
  name: "[AMOUNT]",
  parse: (text) => (text === "" ? undefined : word("AMOUNT").parse(text)),
};
const reason = sentence("REASON");
const force: Argument<boolean> = {
  name: "[--force]",
  parse: (text) => (text === "" || text === "--force" ? text !== "" : null),
};

/** Declares a command. A command that changes something prints what `run` returns: what it has done. */
function define<T extends unknown[]>(
  name: string,
  args: { [Index in keyof T]: Argument<T[Index]> },
  help: string,
  run: (operator: Operator, ...values: T) => Promise<Outcome> | Promise<string[]>,
): Command {
  return {
    name,
    usage: [name, ...args.map((arg) => arg.name)].join(" "),
    help,
    parse(words) {
      if (args.length === 0 && words.length > 0) return null;
      const isLast = (index: number) => index === args.length - 1;
      const values = args.map((arg, index) =>
        arg.parse(words.slice(index, isLast(index) ? undefined : index + 1).join(" ")),
      );
      if (values.includes(null)) return null;
      return async (operator) => {
        const result = await run(operator, ...(values as T));
        return Array.isArray(result) ? toDone(result) : result;
      };
    },
  };
}

const toDone = (details: string[]): Outcome => ({
  exitCode: 0,
  lines: [...details, "Done."],
  json: { done: true, details },
});

const commands: Command[] = [
  define(
    "status",
    [],
    "show which switches are on, what the treasury holds, payments under way, and what waits for you",
    showStatus,
  ),
  define(
    "reserves",
    [],
    "show the last comparison of the books with the chains; exits with 1 if something is missing or it is out of date",
    showReserves,
  ),
  define("deposits", [], "list the USDT at funding addresses, with the path of each address's key", showDeposits),
  define("order", [order], "show an order with its addresses, deposits, payments and events", showOrder),
  define("actions", [], "show the last 100 changes by operators: who, when, what, and the result", showActions),
  define("books", [], "check the ledger; exits with 1 if it does not balance", checkBooks),
  define("off", [switchName, reason], "stop new swaps, or stop preparing payments", (operator, name, why) =>
    operator.turnOff(name, why),
  ),
  define(
    "on",
    [switchName, stopsToEnd],
    "switch them back on; if there are several causes, you may have to name one, or add --all",
    turnOn,
  ),
  define(
    "hold",
    [order, reason],
    "put a funded order on hold; its owner sees REASON. Run it again with the same REASON to extend the hold",
    (operator, id, why) => operator.hold(id, why),
  ),
  define("release", [order], "end the hold of an order", (operator, id) => operator.release(id)),
  define(
    "refund",
    [order],
    "refund an order that is on hold, waiting for a decision, or whose payout is parked",
    (operator, id) => operator.refund(id),
  ),
  define("retry", [payment], "prepare a parked payment again", (operator, id) => operator.retryPayment(id)),
  define(
    "readdress",
    [payment, word("ADDRESS")],
    "pay a parked payment to another address that its owner has saved in their account",
    (operator, id, address) => operator.readdressPayment(id, address),
  ),
  define(
    "mark-paid",
    [payment, hash, force],
    "book a payment that was made already, by our wallet or by hand: a parked one, or any planned one while payments are off",
    (operator, id, paid, isForced) => operator.markPaid(id, paid, isForced),
  ),
  define(
    "mark-paid-out",
    [order, hash],
    "complete an order whose payout was made by our wallet but is missing from this database",
    (operator, id, paid) => operator.markPaidOut(id, paid),
  ),
  define(
    "float",
    [asset, word("AMOUNT"), again],
    "book an amount added to our wallet (-AMOUNT: taken from it); --again if the same was booked within an hour",
    (operator, symbol, amount, isAgain) => operator.addFloat(symbol, amount, isAgain),
  ),
  define(
    "take-fees",
    [asset, optionalAmount],
    "move earned fees to the treasury (default: all that are final)",
    (operator, symbol, amount) => operator.takeFees(symbol, amount ?? null),
  ),
  define(
    "accept-payment",
    [hash, force],
    "account for a payment from our wallet that is missing from this database; refused while it may be an order's, unless forced",
    (operator, paid, isForced) => operator.acceptPayment(paid, isForced),
  ),
  define(
    "dismiss",
    [word("transfer:…")],
    "close the alert about a transfer that is older than its order",
    (operator, subject) => operator.dismissTransfer(subject),
  ),
  define(
    "write-off",
    [word("DEPOSIT")],
    "book the loss of a deposit that a reorg removed after it was paid out; undone if it comes back",
    (operator, id) => operator.writeOff(id),
  ),
  define(
    "accept-nonce",
    [number("N", 9)],
    'accept N as the next nonce of the Ethereum signer; then run "on payments" and "on swaps"',
    (operator, nonce) => operator.acceptNonce(nonce),
  ),
  define(
    "rescan",
    [number("FROM", 12), number("TO", 12), assetOrUsdt],
    "read these blocks again and credit missed deposits (default: USDT)",
    (operator, from, to, symbol) => operator.rescan(symbol, from, to),
  ),
  define("cancel-rescan", [asset], "end the rescans of an asset that are not finished", (operator, symbol) =>
    operator.cancelRescan(symbol),
  ),
  define(
    "block",
    [account],
    "block an account: its owner cannot use it, and its orders are put on hold instead of being paid out; refunds continue",
    (operator, named) => operator.block(named),
  ),
  define(
    "unblock",
    [account],
    "unblock an account and end all its sessions; the exchange releases its orders if the owner may swap",
    (operator, named) => operator.unblock(named),
  ),
  define(
    "passkeys",
    [account],
    "list the passkeys of an account: when each was added and last used, and whether a recovery has paused it",
    showPasskeys,
  ),
  define(
    "remove-passkey",
    [account, word("PASSKEY")],
    "remove a passkey of a blocked account, which may be a thief's; its owner gets an e-mail",
    (operator, named, id) => operator.removePasskey(named, id),
  ),
  define(
    "delete",
    [account, account],
    "delete an account that its owner had deleted before a backup was restored; repeat ACCOUNT to confirm it",
    (operator, named, repeated) => operator.deleteAccount(named, repeated),
  ),
  define(
    "record",
    [account, reason],
    "show what the law requires us to keep about a deleted account; REASON is stored with it",
    showRecord,
  ),
];

const toUsage = ({ usage, help }: Command) => `  ${usage.padEnd(33)} ${help}`;
const usage = `npm run operate -- COMMAND
${commands.map(toUsage).join("\n")}
ACCOUNT is an account's ID, or one of its orders; except for record, also its e-mail address.
ORDER is an order's ID, or the number that its owner sees, such as 1CRT-8K55-KRE.
With --json, each command prints one JSON document; if it fails, {"error": "…"}. Programs need npm's --silent before "operate".`;

/** Selects JSON output. The flag may appear anywhere on the command line. */
const jsonFlag = "--json";

/**
 * Runs one command line of `npm run operate`. Wrong arguments (exit code 2) do not open the database.
 * A failure (1) is one sentence on stderr, without a stack trace. With `--json`, stdout is one JSON document.
 */
export async function runOperatorCommand(args: string[], open: () => Promise<Operator>): Promise<Result> {
  const asJson = args.includes(jsonFlag);
  const toStdout = (lines: string[], json: unknown) => (asJson ? [toJson(json)] : lines);
  const [name, ...words] = args.filter((arg) => arg !== jsonFlag);
  const call = commands.find((command) => command.name === name)?.parse(words);
  if (!call) return { exitCode: 2, stdout: toStdout([usage], { error: "Wrong arguments.", usage }) };
  try {
    const operator = await open();
    try {
      const { exitCode, lines, json } = await call(operator);
      return { exitCode, stdout: toStdout(lines.map(toPrintable), json) };
    } finally {
      await operator.close();
    }
  } catch (error) {
    const message = toMessage(error);
    return { exitCode: 1, stdout: toStdout([], { error: message }), stderr: message };
  }
}

const toJson = (value: unknown) => escapeControls(JSON.stringify(value));

/** Shows what the switch was off for: it may have been switched off again since the operator looked. */
async function turnOn(operator: Operator, name: "swaps" | "payments", which?: StopsToEnd): Promise<Outcome> {
  const ended = await operator.turnOn(name, which);
  return { exitCode: 0, lines: [...ended.map(toEndedLine), "Done."], json: { done: true, ended } };
}

async function showStatus(operator: Operator): Promise<Outcome> {
  const status = await operator.getStatus();
  return { exitCode: 0, lines: describeStatus(status), json: status };
}

/** One line each; scripts read the first ones. */
function describeStatus({
  swaps,
  payments,
  house,
  settings,
  risks,
  outage,
  underWay,
  fees,
  rescans,
  setAside,
  waiting,
  held: onHold,
  counts,
}: OperatorStatus): string[] {
  return [
    `swaps: ${swaps.reason ?? "on"}`,
    `payments: ${payments.reason ?? "on"}`,
    `house: ${house.USDT} USDT`,
    `house: ${house.MOB} MOB`,
    ...(settings === null ? [] : [`settings: ${settings}`]),
    ...risks.map((risk) => `risk: ${risk}`),
    ...(outage === null ? [] : [`outage: new swaps are refused. ${outage}`]),
    ...underWay.map(
      ({ asset, planned, prepared, sent }) =>
        `payments of ${asset} under way: ${planned} planned, ${prepared} prepared, ${sent} sent`,
    ),
    ...assetSymbols.map(
      (asset) => `fees: ${fees[asset].earned} ${asset} earned, of which take-fees can move ${fees[asset].final}`,
    ),
    ...rescans.map(({ asset, from, to, next }) => `rescan: ${asset} blocks ${from} to ${to}, now at ${next}`),
    ...setAside.map(
      ({ asset, amount, orders }) => `set aside: ${amount} ${asset} of ${orders} orders, too little to refund`,
    ),
    ...waiting.map(describeWaiting),
    ...onHold.map(
      ({ order, number, reason, deadline }) => `on hold: ${number} (${order}) until ${deadline}: ${reason}`,
    ),
    `open: ${counts.openOrders} orders, ${counts.pendingApplications} pending applications, ${counts.queuedEmails} queued e-mails`,
  ];
}

function describeWaiting({ subject, order, number, reason, action }: OperatorStatus["waiting"][number]): string {
  const id = order && !subject.includes(order) ? order : null;
  const name = number === null ? id : `${number}${id ? ` (${id})` : ""}`;
  return `waiting: ${subject}${name ? ` of order ${name}` : ""}: ${joinSentences(reason, action)}`;
}

async function showActions(operator: Operator): Promise<Outcome> {
  const actions = await operator.listActions();
  const lines = actions.map(({ at, operator: who, command, arguments: words, result }) =>
    [`${at} ${who}: ${[command, ...words].join(" ")}`, ...result].join("; "),
  );
  return {
    exitCode: 0,
    lines: lines.length > 0 ? lines : ["No operator has changed anything yet."],
    json: { actions },
  };
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

async function showOrder(operator: Operator, named: string): Promise<Outcome> {
  const report = await operator.getOrder(named);
  return { exitCode: 0, lines: describeOrder(report), json: report };
}

function describeOrder(report: OrderReport): string[] {
  const { email, source, target, hold, decision, path } = report;
  const wait = hold ?? decision;
  return [
    `order: ${report.number} (${report.order}) of account ${report.account}${email === null ? "" : `, ${email}`}`,
    `status: ${report.status}${wait?.deadline ? ` until ${wait.deadline}` : ""}${wait ? `: ${wait.reason}` : ""}`,
    `swap: ${source.amount} ${source.asset} to ${target.amount} ${target.asset}, locked ${report.createdAt}, to be paid by ${report.expiresAt}`,
    `funding address: ${report.fundingAddress}${path ? ` (${path})` : ""}`,
    `delivery address: ${report.deliveryAddress}`,
    `refund address: ${report.refundAddress}`,
    ...report.deposits.map(
      ({ id, amount, status, hash, block, seenAt }) =>
        `deposit ${id}: ${amount} ${source.asset}, ${status}, ${hash} in block ${block}, seen ${seenAt}`,
    ),
    ...report.payments.map(
      ({ isParked, hash, nonce, lastError, ...payment }) =>
        `${toPaymentLine(payment)}${isParked ? " and parked" : ""}${hash ? `, ${hash}` : ""}${nonce === null ? "" : `, nonce ${nonce}`}${lastError ? `: ${lastError}` : ""}`,
    ),
    ...report.events.map(({ at, kind, status }) => `${at} ${kind}${status ? ` → ${status}` : ""}`),
  ];
}

async function showPasskeys(operator: Operator, account: string): Promise<Outcome> {
  const passkeys = await operator.listPasskeys(account);
  const lines = passkeys.map(
    ({ id, name, addedAt, addedByPasskey, lastUsedAt, pausedUntil }) =>
      `${id} “${name}”: added ${addedAt}${addedByPasskey ? " with another passkey" : ""}, last used ${lastUsedAt ?? "never"}${pausedUntil ? `, paused until ${pausedUntil}` : ""}`,
  );
  return { exitCode: 0, lines: lines.length > 0 ? lines : ["The account has no passkeys."], json: { passkeys } };
}

async function showRecord(operator: Operator, account: string, reason: string): Promise<Outcome> {
  const record = await operator.readRecord(account, reason);
  return { exitCode: 0, lines: [JSON.stringify(record, null, 2)], json: record };
}

function toMessage(error: unknown): string {
  if (error instanceof StartupError || error instanceof OperatorError) return toPrintable(redactUrls(error.message));
  return "The command failed unexpectedly: check DATABASE_URL.";
}
