/** Every screen in every state. */

import { documents } from "./documents";
import { late } from "./late";
import { newCustomer } from "./new-customer";
import { operator } from "./operator";
import { orders, quotes } from "./orders";
import { rates, sandbox, welcome } from "./public-pages";
import type { SceneGroup } from "./scene-group";
import { emailCode, errorScreens, signIn } from "./sign-in";
import { addresses, alerts, german, swap } from "./swap";
import { otherWallet, remoteWallet, testWallet } from "./wallet";

export const sceneGroups: readonly SceneGroup[] = [
  signIn,
  emailCode,
  newCustomer,
  swap,
  german,
  addresses,
  alerts,
  quotes,
  testWallet,
  otherWallet,
  remoteWallet,
  orders,
  late,
  operator,
  rates,
  welcome,
  documents,
  sandbox,
  errorScreens,
];
