import type { AssetSymbol } from "../lib/assets";

/*
 * What an operator should do about common causes, as sentences for alerts and `operate status`.
 */

/** When an account's balance is too low. Funds that are booked before they arrive look like a loss. */
export const addFunds = 'Add funds and, once they have arrived, book them with "operate float".';

/** When more is lost than the treasury has. */
export const bookLargeLoss =
  'A loss larger than the treasury can be booked in three steps: add funds to our wallet, book them with "operate float", and then book the loss.';

/** After a payment that was made without this database. Payments of USDT cost ether, which is not in the books. */
export const bookFeeByHand = (asset: AssetSymbol): string =>
  asset === "MOB" ? 'Also book the network fee of its transaction, once, with "operate float MOB -FEE".' : "";

/** When the nodes of a chain do not respond, or disagree. */
export const checkNodes = (asset: AssetSymbol): string =>
  asset === "USDT" ? "Check the nodes in ETH_RPC_URLS." : "Check full-service (MOBILECOIN_URL).";

/** When payments of an asset cannot be made for an unknown reason. */
export const findPaymentBlock = (asset: AssetSymbol): string =>
  `${checkNodes(asset)}${asset === "USDT" ? " Check that the payout wallet has enough ether." : ""} If several payments are parked, deal with one of them.`;

/** When our wallet cannot pay an asset, for a known reason. */
export const unblockPayments = (asset: AssetSymbol): string =>
  asset === "USDT"
    ? "If ether is missing, send some to the payout wallet. If a cancellation cannot be sent, follow the advice in the payment's alert. Otherwise, only Tether can remove the cause."
    : checkNodes(asset);
