import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/** A fresh database in the run's own PostgreSQL (`postgres-server.ts`); its URL. */
export async function createTestPostgres(): Promise<string> {
  const url = inject("postgresUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: `${url}/postgres` });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return `${url}/${name}`;
}
