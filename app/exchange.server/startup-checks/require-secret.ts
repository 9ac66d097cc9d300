import { StartupError } from "../../lib/startup-error";
import type { ExchangeConfig } from "../context";
import type { Database } from "../db/database";
import { secretFingerprints } from "../db/schema/secrets";
import { authenticate, deriveKey } from "../secrets";

type Options = {
  /** Whether this may be the first process on the database, whose secret then becomes the required one. */
  isExchange: boolean;
};

/**
 * In live mode, requires the SESSION_SECRET of the first start: with another one, waiting applications and e-mails
 * could not be read, and would be permanently refused or dropped.
 * @throws StartupError
 */
export async function requireSecret(
  db: Database,
  { mode, secret }: Pick<ExchangeConfig, "mode" | "secret">,
  { isExchange }: Options,
): Promise<void> {
  if (mode !== "live") return;
  const fingerprint = authenticate(deriveKey(secret, "fingerprint")).toString("base64url");
  if (isExchange) {
    await db.insert(secretFingerprints).values({ name: "SESSION_SECRET", fingerprint }).onConflictDoNothing();
  }
  const [stored] = await db.select().from(secretFingerprints);
  if (stored === undefined || stored.fingerprint === fingerprint) return;
  throw new StartupError(
    "SESSION_SECRET is not the one that this database is used with, so encrypted data could not be read: set the original secret, or follow docs/operating.md#change-session_secret to replace it.",
  );
}
