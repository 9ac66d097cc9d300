import { index, layout, type RouteConfig, route } from "@remix-run/route-config";

/**
 * The route table. Every screen has its own folder in routes/; file names do not define routes. A folder without a
 * `route` file has parts that screens share, or parts of the screen around it.
 */
export default [
  layout("routes/layout/route.tsx", [
    index("routes/index/route.tsx"),
    layout("routes/auth/route.tsx", [
      route("login", "routes/auth/login/route.tsx"),
      route("register", "routes/auth/register/route.tsx"),
    ]),
    route("swap", "routes/swap/index/route.tsx"),
    route("swap/usdt-to-mob", "routes/swap/usdt-to-mob/route.tsx"),
    route("swap/mob-to-usdt", "routes/swap/mob-to-usdt/route.tsx"),
    route("swap/deliveryaddress", "routes/swap/delivery-addresses/route.tsx"),
    route("swap/deliveryaddress/add", "routes/swap/add-delivery-address/route.tsx"),
    route("swap/quote/:quoteId", "routes/swap/quote/route.tsx"),
    route("kyc", "routes/kyc/route.tsx"),
    route("doger", "routes/doger/route.tsx"),
    route("doger/delete", "routes/doger/delete/route.tsx"),
    route("account-deleted", "routes/account-deleted/route.tsx"),
    route("sandbox", "routes/sandbox/route.tsx"),
    route("welcome", "routes/welcome/route.tsx", [
      index("routes/welcome/index/route.ts"),
      route("what-is-signal", "routes/welcome/what-is-signal/route.tsx"),
      route("enable-signal", "routes/welcome/enable-signal/route.tsx"),
      route(":step", "routes/welcome/step/route.tsx"),
    ]),
    route("help", "routes/help/index/route.tsx"),
    route("help/:answer", "routes/help/answer/route.tsx"),
    route("fees", "routes/fees/route.tsx"),
    route("contact", "routes/contact/route.tsx"),
    route("status", "routes/status/route.tsx"),
    route("legal/:document", "routes/legal/route.tsx"),
    route("*", "routes/not-found/route.tsx"),
  ]),
  route("swap/notifications", "routes/swap/notifications/route.ts"),
  route("swap/orders/:orderId/events", "routes/swap/order-events/route.ts"),
  route("swap/orders/:orderId/receipt", "routes/swap/order-receipt/route.ts"),
  route("swap/orders/:orderId/receipt.pdf", "routes/swap/order-receipt-pdf/route.ts"),
  route("track/:token", "routes/track/route.tsx"),
  route("vegas", "routes/vegas/route.tsx"),
  route("offline", "routes/offline/route.tsx"),
  route("doger/export.csv", "routes/doger/swaps-csv/route.ts"),
  route("doger/data.zip", "routes/doger/data-zip/route.ts"),
  route("logout", "routes/logout/route.ts"),
  route("api/*", "routes/api/route.ts"),
  route("sandbox/*", "routes/sandbox-calls/route.ts"),
  ...(process.env.NODE_ENV === "production" ? [] : [route("styleguide", "routes/styleguide/route.tsx")]),
] satisfies RouteConfig;
