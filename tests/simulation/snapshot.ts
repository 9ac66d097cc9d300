import { createHash } from "node:crypto";
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { appendOnlyTriggers } from "~/exchange.server/db/append-only";

const cache = resolve("node_modules/.cache/simulation");
const migrationsFolder = "app/exchange.server/db/migrations";
const pglite = "node_modules/@electric-sql/pglite/package.json";

/**
 * The path of a dumped data directory of PGlite with the exchange's tables. Creating and migrating a database takes
 * four seconds, and opening a copy takes one. Kept until a migration, an append-only trigger or PGlite changes.
 */
export async function prepareSnapshot(): Promise<string> {
  const hash = createHash("sha256").update(appendOnlyTriggers);
  for (const name of (await readdir(migrationsFolder)).filter((one) => one.endsWith(".sql")).sort()) {
    hash.update(await readFile(join(migrationsFolder, name)));
  }
  hash.update(await readFile(pglite));
  const path = join(cache, `database-${hash.digest("hex").slice(0, 16)}.tar`);
  if (await exists(path)) return path;
  await mkdir(cache, { recursive: true });
  // Another process may be writing the same snapshot, or deleting the same old ones.
  const old = (await readdir(cache)).filter((name) => name.startsWith("database-") && !name.startsWith(basename(path)));
  for (const name of old) await rm(join(cache, name), { force: true });
  const client = await PGlite.create("memory://");
  await migrate(drizzle(client, { casing: "snake_case" }), { migrationsFolder });
  await client.exec(appendOnlyTriggers);
  const dump = await client.dumpDataDir("none");
  await client.close();
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, dump.stream());
  await rename(unfinished, path);
  return path;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
