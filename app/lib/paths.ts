/** The paths of the site that several modules use. Search params keep the order in which they are passed. */
import type { AddressType, AssetSymbol } from "./assets";
import type { welcomePages } from "./constants";
import type { AnswerId } from "./help-topics";

export type LegalDocument = "terms" | "privacy" | "accessibility";

/**
 * What the swap form is filled in with: an amount as `toAmountParam` returns it, to send unless `side` says to receive,
 * and the IDs of saved addresses.
 */
type SwapParams = {
  amount?: string | null;
  side?: "target" | null;
  delivery?: string | null;
  refund?: string | null;
};

export const paths = {
  home: "/",
  swap: "/swap",
  vegas: "/vegas",
  doger: "/doger",
  account: "/doger#account",
  dataExport: "/doger/data.zip",
  deleteAccount: "/doger/delete",
  accountDeleted: "/account-deleted",
  priceAlerts: "/doger#price-alerts",
  welcome: "/welcome",
  logout: "/logout",
  sandbox: "/sandbox",
  help: "/help",
  fees: "/fees",
  status: "/status",

  /** `cookies`: the page checks that the browser has stored a cookie. */
  login: (params: { redirect?: string | null; message?: boolean; cookies?: "check" | null } = {}) =>
    withParams("/login", params),
  kyc: (params: { redirect?: string | null } = {}) => withParams("/kyc", params),
  register: (params: { redirect?: string | null } = {}) => withParams("/register", params),
  welcomeStep: (step: number | (typeof welcomePages)[number]) => `/welcome/${step}`,
  direction: (source: AssetSymbol, params: SwapParams = {}) =>
    withParams(source === "USDT" ? "/swap/usdt-to-mob" : "/swap/mob-to-usdt", params),
  deliveryAddresses: (params: { addressType?: AddressType | null } = {}) =>
    withParams("/swap/deliveryaddress/", params),
  addDeliveryAddress: (params: { addressType?: AddressType | null; redirect?: string | null } = {}) =>
    withParams("/swap/deliveryaddress/add", params),
  quote: (id: number | string) => `/swap/quote/${encodeURIComponent(String(id))}`,
  answer: (id: AnswerId) => `/help/${id}`,
  legal: (document: LegalDocument) => `/legal/${document}`,
  contact: (params: { swap?: string | null } = {}) => withParams("/contact", params),
  track: (token: string) => `/track/${encodeURIComponent(token)}`,
  orderEvents: (orderId: string) => `/swap/orders/${encodeURIComponent(orderId)}/events`,
  orderReceipt: (orderId: string) => `/swap/orders/${encodeURIComponent(orderId)}/receipt`,
  orderReceiptPdf: (orderId: string) => `/swap/orders/${encodeURIComponent(orderId)}/receipt.pdf`,
} as const;

/** Adds search params to a path. Null and undefined params are omitted. */
export function withParams(path: string, params: Record<string, string | number | boolean | null | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}
