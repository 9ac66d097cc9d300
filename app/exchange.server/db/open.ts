import { resolve } from "node:path";
import type { Database } from "./database";
import { guards } from "./guards";

/** An open database, migrated. `executeSql` is what pg-boss asks of its adapter. */
export type OpenDatabase = {
  db: Database;
  kind: "pglite" | "postgres";
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  close(): Promise<void>;
};

const migrationsFolder = resolve("app/exchange.server/db/migrations");

/** PGlite in `dataDir` (or in memory when null). One process only: the caller holds the directory's lock. */
export async function openPglite(dataDir: string | null): Promise<OpenDatabase> {
  const [{ PGlite }, { drizzle }, { migrate }] = await Promise.all([
    import("@electric-sql/pglite"),
    import("drizzle-orm/pglite"),
    import("drizzle-orm/pglite/migrator"),
  ]);
  const client = await PGlite.create(dataDir ?? "memory://");
  const db = drizzle(client, { casing: "snake_case" });
  await migrate(db, { migrationsFolder });
  await client.exec(guards);
  return {
    db: db as unknown as Database,
    kind: "pglite",
    async executeSql(text, values) {
      if (values && values.length > 0) return { rows: (await client.query(text, values)).rows };
      const results = await client.exec(text);
      return { rows: results.at(-1)?.rows ?? [] };
    },
    close: () => client.close(),
  };
}

/** PostgreSQL by URL. Several processes may start at once; one of them migrates. */
export async function openPostgres(url: string, options: { poolSize?: number } = {}): Promise<OpenDatabase> {
  const [{ default: pg }, { drizzle }, { migrate }] = await Promise.all([
    import("pg"),
    import("drizzle-orm/node-postgres"),
    import("drizzle-orm/node-postgres/migrator"),
  ]);
  const pool = new pg.Pool({ connectionString: url, max: options.poolSize ?? 10, application_name: "antelope" });
  // An idle connection that the server ends is replaced at the next query; without a listener it would end the process.
  pool.on("error", () => undefined);
  const migrator = new pg.Client({ connectionString: url });
  await migrator.connect();
  try {
    await migrator.query("select pg_advisory_lock(hashtextextended('antelope.migrate', 0))");
    const db = drizzle(migrator, { casing: "snake_case" });
    await migrate(db, { migrationsFolder });
    await migrator.query(guards);
  } finally {
    await migrator.end();
  }
  return {
    db: drizzle(pool, { casing: "snake_case" }) as unknown as Database,
    kind: "postgres",
    executeSql: (text, values) => pool.query(text, values),
    close: () => pool.end(),
  };
}
