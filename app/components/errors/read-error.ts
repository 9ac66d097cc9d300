import { isRouteErrorResponse } from "@remix-run/react";

export type DisplayError = {
  /** Null if there is no message suitable for visitors. */
  message: string | null;
  status: number | null;
  /** Only in development. */
  stack: string | null;
};

/** What an error screen shows: the error's message and, for HTTP errors, the status. The stack only in development. */
export function readError(error: unknown): DisplayError {
  if (isRouteErrorResponse(error)) {
    return { message: readMessage(error.data), status: error.status, stack: null };
  }
  if (error instanceof Error) {
    return { message: error.message, status: null, stack: import.meta.env.DEV ? (error.stack ?? null) : null };
  }
  return { message: null, status: null, stack: null };
}

function readMessage(data: unknown): string | null {
  if (typeof data === "string" && data !== "") return data;
  if (typeof data === "object" && data !== null && "message" in data && typeof data.message === "string") {
    return data.message;
  }
  return null;
}
