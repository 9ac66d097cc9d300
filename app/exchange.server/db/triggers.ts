import { createHash } from "node:crypto";
import type { ClientBase } from "pg";
import { appendOnlyTriggers } from "./append-only";
import { notificationTriggers } from "./notifications";

/** Creates all functions and triggers. Each statement begins with `create` on a new line, and is idempotent. */
export const triggers = appendOnlyTriggers + notificationTriggers;

const names = [...triggers.matchAll(/^create or replace trigger (\w+)/gm)].map(([, name]) => name);
const version = createHash("sha256").update(triggers).digest("hex");

/**
 * Creates the triggers, unless the database has them already: creating one locks its table, and while it waits for a
 * VACUUM, for example, every write to the table waits behind it.
 */
export async function ensureTriggers(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ isCurrent: boolean }>(
    `select obj_description(to_regproc('announce'), 'pg_proc') = $1 and $2::int =
       (select count(*) from pg_trigger t join pg_class c on c.oid = t.tgrelid
         where t.tgname = any($3) and t.tgenabled = 'O' and c.relnamespace = current_schema()::regnamespace) as "isCurrent"`,
    [version, names.length, names],
  );
  if (rows[0]?.isCurrent) return;
  // Each in its own transaction: while holding the locks of several tables, a start could deadlock with a running
  // process.
  for (const statement of triggers.trim().split(/(?<=;)\n(?=create )/)) await client.query(statement);
  await client.query(`comment on function announce() is '${version}'`);
}
