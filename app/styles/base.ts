/** The base styles of every page, in layer order. Must be root.tsx's first import. */
import "./layer-order.css";
import "./fonts.css";
import "./theme.css";
import "./reset.css";
