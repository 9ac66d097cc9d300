/** Every screen in every state: the one list. */
import { code, entrance, troubleScreens } from "./entrance";
import { late } from "./late";
import { newcomer } from "./newcomer";
import { board, sandbox, welcome } from "./open-to-all";
import { operator } from "./operator";
import { offers, orders } from "./orders";
import type { Room } from "./room";
import { addresses, german, swap } from "./swap";
import { otherWallet, testWallet } from "./wallet";

export const rooms: readonly Room[] = [
  entrance,
  code,
  newcomer,
  swap,
  german,
  addresses,
  offers,
  testWallet,
  otherWallet,
  orders,
  late,
  operator,
  board,
  welcome,
  sandbox,
  troubleScreens,
];
