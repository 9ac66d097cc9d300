import { createContext, type ReactNode } from "react";

type DocumentContent = {
  /** The nonce of this response's inline scripts. */
  nonce?: string | undefined;
  /** The end of the head. React ignores elements there that it does not expect. */
  preview?: ReactNode;
};

/** Parts of a document that only the server adds. Empty in the browser, which does not need them. */
export const DocumentContext = createContext<DocumentContent>({});
