import { isRouteErrorResponse } from "@remix-run/react";

export type ShownError = {
  /** Null: nothing that a visitor may read. */
  message: string | null;
  status: number | null;
  /** Only in development: Remix keeps stacks from browsers otherwise. */
  stack: string | null;
};

/** What an error screen may tell of an error: a raised text (`raise`), or in development all of it. */
export function readError(error: unknown): ShownError {
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
