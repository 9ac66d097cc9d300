/** What runs SQL: a client of `pg`, or PGlite. */
type Runner = { query<Row>(sql: string): Promise<{ rows: Row[] }> };

/**
 * Deletes all rows of a migrated database and restarts its sequences. Disables triggers while it does so, because they
 * reject changes to the ledger. If the rows of a table fit on one page, deletes them: truncating creates new files for
 * the table and its indexes, which takes a hundred times as long.
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
 * Changes if a test adds or removes a table, constraint, trigger or function, leaves a trigger disabled, or collects
 * statistics, which would affect the query plans of later tests.
 */
const shape = `select concat_ws(' ', (select count(*) from pg_class where relpersistence <> 't'),
  (select count(*) from pg_constraint), (select count(*) from pg_proc),
  (select count(*) from pg_trigger where tgenabled = 'O'),
  (select count(*) from pg_stats where schemaname = 'public')) as shape`;

/** Summarizes what a test must leave unchanged in a database: its schema, and that it has no statistics. */
export async function readShape(runner: Runner): Promise<string> {
  const { rows } = await runner.query<{ shape: string }>(shape);
  return rows[0]?.shape ?? "";
}

/** Deletes the rows that a test has stored. Returns false if the shape has changed, so the database can't be reused. */
export async function emptyDatabase(runner: Runner, expectedShape: string): Promise<boolean> {
  if ((await readShape(runner)) !== expectedShape) return false;
  await runner.query(emptying);
  return true;
}
