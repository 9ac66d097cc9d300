import { paths } from "~/lib/paths";
import type { IconName } from "~/ui/icon";

export type NavKey = "swap" | "activity" | "addresses" | "rates" | "help";
export type NavItem = {
  key: NavKey;
  to: string;
  label: string;
  icon: IconName;
  signedInOnly?: true;
  /** A page without React, which the browser loads as a document. */
  isDocument?: true;
};

export const navItems: readonly NavItem[] = [
  { key: "swap", to: paths.swap, label: "Swap", icon: "swap" },
  { key: "activity", to: paths.doger, label: "Activity", icon: "activity", signedInOnly: true },
  { key: "addresses", to: paths.deliveryAddresses(), label: "Addresses", icon: "address", signedInOnly: true },
  { key: "rates", to: paths.vegas, label: "Rates", icon: "rates", isDocument: true },
  { key: "help", to: paths.help, label: "Help", icon: "help", isDocument: true },
];
