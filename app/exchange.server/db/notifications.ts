import { EventEmitter } from "node:events";
import { sql } from "drizzle-orm";
import type { Client } from "pg";
import type { Database } from "./database";

/**
 * What the database announces when a transaction commits: new work for jobs (docs/architecture.md, "A job"), and
 * changes to orders and to the rights of accounts, for event streams. `limits` carries counts between processes.
 * A process sends `listening` to itself each time it has connected and can receive notifications.
 */
const notificationTopics = [
  "mail",
  "push",
  "payments",
  "kyc",
  "rate",
  "lock",
  "order",
  "account",
  "limits",
  "listening",
] as const;
export type NotificationTopic = (typeof notificationTopics)[number];

/**
 * Passes the notifications on inside this process, each with the id of the order or account, the counts, or an empty
 * string.
 */
export class DbNotifications extends EventEmitter<Record<NotificationTopic, [id: string]>> {}

/** The PostgreSQL channel of all topics; the payload is the topic and maybe an id. */
export const notificationChannel = "antelope";

/** Triggers that announce new work and changes. */
export const notificationTriggers = `
create or replace function announce() returns trigger language plpgsql as $$
begin
  perform pg_notify('${notificationChannel}', tg_argv[0]);
  return null;
end $$;
create or replace function announce_row() returns trigger language plpgsql as $$
begin
  perform pg_notify('${notificationChannel}', tg_argv[0] || ' ' || (to_jsonb(new) ->> tg_argv[1]));
  return null;
end $$;
create or replace trigger locks_announce after insert on orders
  for each statement execute function announce('lock');
create or replace trigger orders_announce after update on orders
  for each row when (new.updated_at is distinct from old.updated_at) execute function announce_row('order', 'id');
create or replace trigger sessions_announce after update on sessions
  for each row when (new.revoked_at is distinct from old.revoked_at) execute function announce_row('account', 'account_id');
create or replace trigger accounts_announce after update on accounts
  for each row when (new.blocked_at is distinct from old.blocked_at) execute function announce_row('account', 'id');
create or replace trigger outbox_announce after insert on outbox
  for each statement execute function announce('mail');
create or replace trigger push_messages_announce after insert on push_messages
  for each statement execute function announce('push');
create or replace trigger payments_announce after insert on payments
  for each statement execute function announce('payments');
create or replace trigger rate_points_announce after insert on rate_points
  for each statement execute function announce('rate');
create or replace trigger kyc_applications_announce after insert on kyc_applications
  for each statement execute function announce('kyc');
`;

/** Sends a notification to all processes. Its text must not contain spaces. */
export async function notifyProcesses(db: Database, topic: NotificationTopic, text: string): Promise<void> {
  await db.execute(sql`select pg_notify(${notificationChannel}, ${`${topic} ${text}`})`);
}

export type OnNotification = (topic: NotificationTopic, id: string) => void;

/** Stops listening. */
export type StopListening = () => Promise<void>;

const reconnectMs = 1_000;

/** Calls the listener with a payload. Ignores unknown topics, which a newer version of the exchange sends. */
export function dispatchNotification(payload = "", onNotification: OnNotification): void {
  const [name, id = ""] = payload.split(" ", 2);
  const topic = notificationTopics.find((known) => known === name);
  if (topic) onNotification(topic, id);
}

/**
 * Listens on a separate connection, and reconnects when it is lost. Notifications sent in the meantime are
 * lost, so listeners must also check for changes from time to time.
 */
export async function listenOnPostgres(connect: () => Client, onNotification: OnNotification): Promise<StopListening> {
  let stopped = false;
  let current: Client | null = null;
  let retry: NodeJS.Timeout | undefined;
  const open = async (): Promise<void> => {
    const client = connect();
    const lost = () => {
      if (stopped || current !== client) return;
      current = null;
      retry = setTimeout(() => void open(), reconnectMs);
    };
    current = client;
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ payload }) => dispatchNotification(payload, onNotification));
    try {
      await client.connect();
      await client.query(`listen ${notificationChannel}`);
      onNotification("listening", "");
    } catch {
      lost();
      // It may have connected, with only LISTEN failing.
      await client.end().catch(() => undefined);
    }
  };
  await open();
  return async () => {
    stopped = true;
    clearTimeout(retry);
    await current?.end().catch(() => undefined);
  };
}
