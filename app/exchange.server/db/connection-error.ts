import { redactUrls } from "../../lib/redact-url";
import { StartupError } from "../../lib/startup-error";

/** SQLSTATE and Node's error codes that an operator can act on. */
const reasons: Record<string, string> = {
  ECONNREFUSED: "does not accept connections",
  ENOTFOUND: "has a host name that cannot be resolved",
  EAI_AGAIN: "has a host name that cannot be resolved",
  ETIMEDOUT: "does not respond",
  EHOSTUNREACH: "cannot be reached over the network",
  ENETUNREACH: "cannot be reached over the network",
  "28P01": "refuses the user name or password",
  "28000": "refuses the user name or password",
  "3D000": "has no database with that name",
  "42501": "does not let this user create or use the tables",
  "55P03":
    "has a table that another session has locked for too long, so it cannot be changed; start again later. If it is the wrong one",
  "53300": "has no free connections",
  "57P01": "is starting up or shutting down",
  "57P03": "is starting up or shutting down",
};

/** Why PostgreSQL could not be opened, naming DATABASE_URL and never its password. */
export function toConnectionError(url: string, error: unknown): StartupError {
  return new StartupError(`PostgreSQL at ${redactUrls(url)} ${toReason(error)}: check DATABASE_URL.`, { cause: error });
}

function toReason(error: unknown): string {
  if (!(error instanceof Error)) return "cannot be opened";
  const { code } = error as NodeJS.ErrnoException;
  // Drizzle wraps an error of the database; Node wraps one for each address of a host.
  const inner = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
  if (code === undefined && inner !== undefined) return toReason(inner);
  if (code !== undefined && reasons[code]) return reasons[code];
  // pg's own errors don't have a code; they say "timeout expired" or "Connection terminated …".
  return /timeout/i.test(error.message) ? "does not respond" : `cannot be opened (${redactUrls(error.message)})`;
}
