import { createContext, useContext } from "react";
import type { Order } from "~/api/contract";
import type { OrderPageData } from "../loader.server";
import type { OrderSituation } from "./situation";

/** What the parts of an order's page show, and decide from. */
export type OrderView = {
  /** The live order. */
  order: Order;
  page: OrderPageData;
  situation: OrderSituation;
  nowMs: number;
  /** The path of this page, to which its forms are posted. */
  here: string;
};

const OrderContext = createContext<OrderView | null>(null);

export const OrderViewProvider = OrderContext.Provider;

/** The order of the page, for its parts at any depth. */
export function useOrderView(): OrderView {
  const view = useContext(OrderContext);
  if (!view) throw new Error("Only the parts of an order's page have an order.");
  return view;
}
