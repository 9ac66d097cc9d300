import { globalLayer } from "@vanilla-extract/css";

/** The order of the cascade, declared once and first: a later layer wins whatever the specificity. */
export const layers = {
  reset: globalLayer("reset"),
  tokens: globalLayer("tokens"),
  ui: globalLayer("ui"),
  components: globalLayer("components"),
  routes: globalLayer("routes"),
};
