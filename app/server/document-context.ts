import { createContext, type ReactNode } from "react";

type DocumentContent = {
  /** The nonce of this response's inline scripts. */
  nonce?: string | undefined;
  /** The end of the head. React ignores elements there that it does not expect. */
  preview?: ReactNode;
};

/** What only the server adds to a document. Empty in the browser, which does not need it. */
export const DocumentContext = createContext<DocumentContent>({});
