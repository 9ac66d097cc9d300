import { getConfig } from "../config/config.server";
import { formatConfirmations, formatConfirmationTime, formatDuration } from "../lib/durations";
import { finalityTime } from "../lib/finality-time";
import { formatBps } from "../lib/format-bps";
import { formatAmount } from "../lib/money";
import { formatDecimalText, type NumberStyle } from "../lib/number-style";

/** The values that documents can use as {{name}}: settings of this site, in words. */
export function toValues(style: NumberStyle): Record<string, string> {
  const { exchange, confirmations, origin } = getConfig();
  const { supportEmail } = exchange;
  const usdt = (amount: bigint) => formatDecimalText(formatAmount(amount, "USDT"), style);
  return {
    site: new URL(origin).host,
    contact: supportEmail === null ? "through this site" : `by e-mail at ${supportEmail}`,
    fee: formatBps(exchange.feeBps, style),
    minUsdt: usdt(exchange.minUsdt),
    maxUsdt: usdt(exchange.maxUsdt),
    tolerance: formatBps(exchange.overpaidToleranceBps, style),
    quoteTime: formatDuration(exchange.quoteTtlMs),
    lockTime: formatDuration(exchange.lockTtlMs),
    grace: formatDuration(exchange.graceMs),
    refundMax: usdt(exchange.refundMaxUsdt),
    decisionTime: formatDuration(exchange.decisionTtlMs),
    codeTime: formatDuration(exchange.codeTtlMs),
    recoveryHold: formatDuration(exchange.recoveryHoldMs),
    retention: exchange.retentionYears === 1 ? "1 year" : `${exchange.retentionYears} years`,
    usdtConfirmations: formatConfirmations(confirmations.USDT),
    mobConfirmations: formatConfirmations(confirmations.MOB),
    finalityTime,
    usdtTime: formatConfirmationTime("ethereum", confirmations.USDT),
    mobTime: formatConfirmationTime("mobilecoin", confirmations.MOB),
  };
}
