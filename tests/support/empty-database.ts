/** What runs SQL: a client of `pg`, or PGlite. */
type Runner = { query<Row>(sql: string): Promise<{ rows: Row[] }> };

/**
 * Deletes all rows of a migrated database, which starts without any, and starts its sequences anew. Triggers are off
 * meanwhile, because they keep the ledger from being changed.
 */
const emptying = `do $$
declare
  name text;
  filled text[] := '{}';
  has_rows boolean;
begin
  set local session_replication_role = replica;
  for name in select format('public.%I', tablename) from pg_tables where schemaname = 'public' loop
    execute format('select exists (select from %s)', name) into has_rows;
    if has_rows then filled := filled || name; end if;
  end loop;
  if filled <> '{}' then execute format('truncate %s cascade', array_to_string(filled, ', ')); end if;
  perform setval(format('%I.%I', schemaname, sequencename), start_value, false)
    from pg_sequences where last_value is not null;
end $$`;

/** Differs when a test has added or removed a table, constraint, trigger or function, or left a trigger off. */
const shape = `select concat_ws(' ', (select count(*) from pg_class where relpersistence <> 't'),
  (select count(*) from pg_constraint), (select count(*) from pg_proc),
  (select count(*) from pg_trigger where tgenabled = 'O')) as shape`;

/** A text that is the same for databases with the same schema. */
export async function readShape(runner: Runner): Promise<string> {
  const { rows } = await runner.query<{ shape: string }>(shape);
  return rows[0]?.shape ?? "";
}

/** Empties a database for the next test. False if a test has changed its schema: it cannot be used again. */
export async function emptyDatabase(runner: Runner, expectedShape: string): Promise<boolean> {
  if ((await readShape(runner)) !== expectedShape) return false;
  await runner.query(emptying);
  return true;
}
