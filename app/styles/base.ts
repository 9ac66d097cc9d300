/** What every page stands on, in the order of the layers. Imported by root.tsx, before anything else. */
import "./order.css";
import "./fonts.css";
import "./theme.css";
import "./reset.css";
