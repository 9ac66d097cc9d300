import { createECDH } from "node:crypto";
import { and, desc, eq, inArray, ne } from "drizzle-orm";
import type { PushSubscriptionRequest } from "../../api/contract";
import type { Caller } from "../accounts/caller";
import { requireOpenSession } from "../accounts/require-open-session";
import type { ExchangeContext } from "../context";
import { lockFor } from "../db/database";
import { pushSubscriptions } from "../db/schema/push";
import { ExchangeError } from "../errors";

/** A new browser beyond this number replaces the oldest one. */
const maxPerAccount = 10;

/**
 * Whether the endpoint belongs to a push service that we know. Customers name the endpoint, so any other address could
 * be in our own network (T84). `services` are origins; `https://*.example.com` stands for every subdomain.
 */
export function isPushEndpoint(endpoint: string, services: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { origin, protocol, host, username, password } = new URL(endpoint);
  if (username !== "" || password !== "") return false;
  return services.some((service) => {
    const [scheme, domain] = service.split("://*.", 2);
    return domain === undefined ? service === origin : `${scheme}:` === protocol && host.endsWith(`.${domain}`);
  });
}

/** Whether a browser would write the URL like this. Other spellings of an endpoint would count as other browsers. */
const isBrowsersSpelling = (url: string) => new URL(url).href === url && !url.includes("#");

/**
 * Stores the browser of the caller's session, or moves it to this session if it is known already.
 * @throws invalid if the push service is unknown, or the spelling of its URL or the keys cannot be a browser's;
 *   token_expired if the session has ended
 */
export async function addPushSubscription(
  ctx: ExchangeContext,
  { accountId, sessionId }: Caller,
  { endpoint, keys }: PushSubscriptionRequest,
): Promise<void> {
  if (!isPushEndpoint(endpoint, ctx.config.pushServices)) refuse("endpoint", "The push service is unknown.");
  if (!isBrowsersSpelling(endpoint)) refuse("endpoint", "Use the URL exactly as the browser returns it.");
  if (!isPublicKey(keys.p256dh)) refuse("p256dh", "This is not a key on the curve P-256.");
  const subscription = { accountId, sessionId, ...keys };
  await ctx.db.transaction(async (tx) => {
    // One addition per account at a time, so that parallel calls cannot exceed the limit.
    await lockFor(tx, `push_subscriptions:${accountId}`);
    await requireOpenSession(tx, { sessionId });
    // This also deletes its waiting messages, which are about the swaps of the account that used the browser before.
    await tx
      .delete(pushSubscriptions)
      .where(
        and(
          eq(pushSubscriptions.endpoint, endpoint),
          eq(pushSubscriptions.auth, keys.auth),
          ne(pushSubscriptions.accountId, accountId),
        ),
      );
    const [stored] = await tx
      .insert(pushSubscriptions)
      .values({ ...subscription, endpoint, createdAt: await ctx.clock.now(tx) })
      // Only the browser itself knows its secret, so a subscription cannot be taken over from another browser.
      .onConflictDoUpdate({
        target: pushSubscriptions.endpoint,
        set: subscription,
        setWhere: eq(pushSubscriptions.auth, keys.auth),
      })
      .returning({ id: pushSubscriptions.id });
    if (!stored) refuse("endpoint", "This endpoint belongs to another browser.");
    const tooOld = tx
      .select({ id: pushSubscriptions.id })
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.accountId, accountId))
      .orderBy(desc(pushSubscriptions.createdAt), desc(pushSubscriptions.id))
      .offset(maxPerAccount);
    await tx
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.accountId, accountId), inArray(pushSubscriptions.id, tooOld)));
  });
}

function refuse(field: string, message: string): never {
  throw new ExchangeError("invalid", { message, fields: { [field]: message } });
}

/** Whether the text is a valid P-256 public key, for which a message can be encrypted. */
function isPublicKey(text: string): boolean {
  try {
    const pair = createECDH("prime256v1");
    pair.generateKeys();
    pair.computeSecret(Buffer.from(text, "base64url"));
    return true;
  } catch {
    return false;
  }
}
