import type { IconName } from "~/ui/icon";

export type NavKey = "swap" | "tally" | "addresses" | "board" | "help";
export type NavPlace = {
  key: NavKey;
  to: string;
  label: string;
  icon: IconName /** Only for who is signed in. */;
  own?: true;
};

export const places: readonly NavPlace[] = [
  { key: "swap", to: "/swap", label: "Swap", icon: "swap" },
  { key: "tally", to: "/doger", label: "Tally", icon: "tally", own: true },
  { key: "addresses", to: "/swap/deliveryaddress/", label: "Addresses", icon: "address", own: true },
  { key: "board", to: "/vegas", label: "Board", icon: "board" },
  { key: "help", to: "/welcome/1", label: "Help", icon: "help" },
];
