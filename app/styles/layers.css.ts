import { globalLayer } from "@vanilla-extract/css";

/** The cascade layers in order: rules in a later layer win, whatever their specificity. */
export const layers = {
  reset: globalLayer("reset"),
  tokens: globalLayer("tokens"),
  ui: globalLayer("ui"),
  components: globalLayer("components"),
  routes: globalLayer("routes"),
};
