import { createHash } from "node:crypto";
import { openAsBlob } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import type { Database } from "~/exchange.server/db/database";
import { withRetries } from "~/exchange.server/db/retries";
import { createConnection } from "./connection";

/** Histories after which tables are truncated instead of emptied, because deleted rows slow queries down. */
const truncateEvery = 40;

/** What `pg_dump` would keep: the rows of every table and the sequences. */
export type Backup = { tables: { name: string; rows: string }[]; sequences: { name: string; value: string }[] };

/** The database of a simulated exchange: one for each worker, emptied before each history. */
export type SimulatedDatabase = Awaited<ReturnType<typeof openSimulatedDatabase>>;

/**
 * Opens a copy of `snapshot` (see `prepareSnapshot`) as an in-memory PGlite, through a connection that is several times
 * as fast as PGlite's own (see `createConnection`). `remember: false` turns off its cache; `onWrite` gets each writing
 * statement.
 */
export async function openSimulatedDatabase(
  snapshot: string,
  { remember = true, onWrite }: { remember?: boolean; onWrite?: (statement: string) => void } = {},
) {
  const client = await PGlite.create("memory://", { loadDataDir: await openAsBlob(snapshot) });
  // A plan is made once for each statement. The triggers and foreign keys stay on during a history.
  await client.exec("set plan_cache_mode = force_generic_plan; set jit = off; set synchronous_commit = off");
  // Tables have a few rows at most, and the planner does not know that.
  for (const way of ["indexscan", "indexonlyscan", "bitmapscan", "hashjoin", "mergejoin"]) {
    await client.exec(`set enable_${way} = off`);
  }
  const list = async (query: string) => (await client.query<{ name: string }>(query)).rows.map(({ name }) => name);
  const tables = await list("select tablename as name from pg_tables where schemaname = 'public' order by 1");
  const sequences = (
    await client.query<{ name: string; start: string }>(
      "select sequencename as name, start_value::text as start from pg_sequences where schemaname = 'public' order by 1",
    )
  ).rows;
  let trace = createHash("sha256");
  const connection = createConnection(client, tables, {
    remember,
    onWrite(statement) {
      trace.update(statement);
      onWrite?.(statement);
    },
  });
  const db = withRetries(drizzle({ client: connection.client as never, casing: "snake_case" }) as unknown as Database);
  const setSequences = (values: { name: string; value: string; isCalled: boolean }[]) =>
    connection.run(
      `select ${values.map(({ name, value, isCalled }) => `setval('${name}', ${value}, ${isCalled})`).join(", ")}`,
    );
  const deleteAll = (names: readonly string[]) => {
    for (const name of names) connection.run(`delete from "${name}"`);
  };
  /** Without triggers and foreign keys. */
  const unguarded = (work: () => void) => {
    connection.run("set session_replication_role = replica");
    try {
      work();
    } finally {
      connection.run("set session_replication_role = origin");
    }
  };
  let histories = 0;

  return {
    db,
    tables,
    /** Counts of the database's work, for the profile. */
    counts: connection.counts,
    /** A digest of everything that this history wrote so far. Two histories with the same one went the same way. */
    getTrace: () => trace.copy().digest("hex"),
    /** Prepares another history: empties the tables and restarts the sequences. */
    empty(): void {
      histories += 1;
      trace = createHash("sha256");
      const dirty = histories % truncateEvery === 1 ? tables : connection.listWritten();
      unguarded(() => {
        if (histories % truncateEvery === 1) connection.run(`truncate ${dirty.map((name) => `"${name}"`).join(", ")}`);
        else deleteAll(dirty);
      });
      setSequences(sequences.map(({ name, start }) => ({ name, value: start, isCalled: false })));
      connection.forget({ isEmpty: true });
    },
    backUp(): Backup {
      return {
        tables: tables.map((name) => ({
          name,
          rows: String(connection.run(`select coalesce(json_agg(t), '[]')::text from "${name}" t`)[0]?.[0]),
        })),
        sequences: sequences.map(({ name }) => ({
          name,
          value: String(connection.run(`select last_value::text || ', ' || is_called::text from "${name}"`)[0]?.[0]),
        })),
      };
    },
    /** The database as it was at a backup. */
    restore(backup: Backup): void {
      unguarded(() => {
        deleteAll(tables);
        for (const { name, rows } of backup.tables) {
          if (rows === "[]") continue;
          const quoted = `'${rows.replaceAll("'", "''")}'`;
          connection.run(`insert into "${name}" select * from json_populate_recordset(null::"${name}", ${quoted})`);
        }
      });
      for (const { name, value } of backup.sequences) connection.run(`select setval('${name}', ${value})`);
      connection.forget({ isEmpty: false });
    },
    close: () => client.close(),
  };
}
