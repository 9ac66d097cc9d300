import { setDefaultAutoSelectFamilyAttemptTimeout } from "node:net";

/**
 * How long Node.js tries to connect to one of a host's addresses before it gives that address up and tries the next
 * one. Its default of 250 ms is too short for a distant host, and whenever this thread is busy for longer, as at a
 * start. If the next address cannot be reached, such as IPv6 on a machine without it, the connection then fails.
 */
const attemptMs = 2_000;

/** Gives all connections of this process to other systems more time for each address of a host. */
export function allowSlowConnections(): void {
  setDefaultAutoSelectFamilyAttemptTimeout(attemptMs);
}
