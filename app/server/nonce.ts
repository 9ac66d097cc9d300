import { createContext } from "react";

/** The nonce of this response's inline scripts; undefined in the browser, which does not need it. */
export const NonceContext = createContext<string | undefined>(undefined);
