import { isRouteErrorResponse } from "@remix-run/react";

export type DisplayError = {
  /** Null if there is no message suitable for visitors. */
  message: string | null;
  status: number | null;
};

/** What an error screen shows: the error's message and, for HTTP errors, the status. */
export function readError(error: unknown): DisplayError {
  if (isRouteErrorResponse(error)) {
    return { message: readMessage(error.data), status: error.status };
  }
  return { message: error instanceof Error ? error.message : null, status: null };
}

function readMessage(data: unknown): string | null {
  if (typeof data === "string" && data !== "") return data;
  if (typeof data === "object" && data !== null && "message" in data && typeof data.message === "string") {
    return data.message;
  }
  return null;
}
