import { and, eq, gt, lt } from "drizzle-orm";
import { toClientNetwork } from "../../lib/client-network";
import { addMs, dayMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { knownNetworks } from "../db/schema/accounts";
import { authenticate, deriveKey } from "../secrets";

/** How long a network stays known after the last sign-in from it. */
const knownForMs = 90 * dayMs;

/** Returns a keyed hash of a client's network, so that the database does not say where someone signs in from. */
function toNetworkHash(ctx: ExchangeContext, email: string, remoteAddress: string): string {
  return authenticate(deriveKey(ctx.config.secret, "known-network"), email, toClientNetwork(remoteAddress)).toString(
    "base64url",
  );
}

/**
 * Records that the owner of a verified address has signed in from a network. Requests for codes
 * from there do not share their limits with strangers. Callers pass verified accounts only: anyone
 * can register someone else's address.
 */
export async function recordNetwork(
  tx: Database,
  ctx: ExchangeContext,
  { email, remoteAddress, now }: { email: string; remoteAddress: string | undefined; now: Date },
): Promise<void> {
  if (remoteAddress === undefined) return;
  await tx
    .insert(knownNetworks)
    .values({ email, networkHash: toNetworkHash(ctx, email, remoteAddress), lastSignInAt: now })
    .onConflictDoUpdate({ target: [knownNetworks.email, knownNetworks.networkHash], set: { lastSignInAt: now } });
}

/** Returns the hash of a network from which the address has signed in recently, otherwise null. */
export async function findKnownNetwork(
  tx: Database,
  ctx: ExchangeContext,
  { email, remoteAddress, now }: { email: string; remoteAddress: string | undefined; now: Date },
): Promise<string | null> {
  if (remoteAddress === undefined) return null;
  const networkHash = toNetworkHash(ctx, email, remoteAddress);
  const [row] = await tx
    .select({ networkHash: knownNetworks.networkHash })
    .from(knownNetworks)
    .where(
      and(
        eq(knownNetworks.email, email),
        eq(knownNetworks.networkHash, networkHash),
        gt(knownNetworks.lastSignInAt, addMs(now, -knownForMs)),
      ),
    );
  return row?.networkHash ?? null;
}

/** Deletes networks that have not been used to sign in for a long time. */
export async function purgeKnownNetworks(db: Database, now: Date): Promise<void> {
  await db.delete(knownNetworks).where(lt(knownNetworks.lastSignInAt, addMs(now, -knownForMs)));
}
