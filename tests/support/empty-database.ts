/** What runs SQL: a client of `pg`, or PGlite. */
type Runner = { query<Row>(sql: string): Promise<{ rows: Row[] }> };

/**
 * Deletes all rows of a migrated database, which starts without any, and starts its sequences anew. Triggers are off
 * meanwhile, because they keep the ledger from being changed. A table whose rows fit on one page is not truncated:
 * new files for it and its indexes take a hundred times as long as deleting them.
 */
const emptying = `do $$
declare
  one record;
  large text[] := '{}';
begin
  set local session_replication_role = replica;
  for one in select format('public.%I', relname) as name, pg_relation_size(oid) as size from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0 loop
    if one.size > 8192 then large := large || one.name; else execute 'delete from ' || one.name; end if;
  end loop;
  if large <> '{}' then execute format('truncate %s cascade', array_to_string(large, ', ')); end if;
  perform setval(format('%I.%I', schemaname, sequencename), start_value, false)
    from pg_sequences where last_value is not null;
end $$`;

/**
 * Differs when a test has added or removed a table, constraint, trigger or function, left a trigger off, or collected
 * statistics, which would choose the plans of the next test.
 */
const shape = `select concat_ws(' ', (select count(*) from pg_class where relpersistence <> 't'),
  (select count(*) from pg_constraint), (select count(*) from pg_proc),
  (select count(*) from pg_trigger where tgenabled = 'O'),
  (select count(*) from pg_stats where schemaname = 'public')) as shape`;

/** A text that is the same for databases with the same schema and no statistics. */
export async function readShape(runner: Runner): Promise<string> {
  const { rows } = await runner.query<{ shape: string }>(shape);
  return rows[0]?.shape ?? "";
}

/** Empties a database for the next test. False if its shape has changed: it cannot be used again. */
export async function emptyDatabase(runner: Runner, expectedShape: string): Promise<boolean> {
  if ((await readShape(runner)) !== expectedShape) return false;
  await runner.query(emptying);
  return true;
}
