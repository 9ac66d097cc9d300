import { createContext } from "react";

/** The nonce of this response's inline scripts; undefined in the browser, where it is not needed. */
export const NonceContext = createContext<string | undefined>(undefined);
