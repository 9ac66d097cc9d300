import { Socket } from "node:net";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { NodePgDatabase, NodePgSession, type NodePgTransaction } from "drizzle-orm/node-postgres";
import { PgDialect, type PgTransactionConfig } from "drizzle-orm/pg-core";
import pg from "pg";
import type { Database } from "./database";
import { withRetries } from "./retries";

/**
 * A connection that fails only when it connects. pg reads the certificates that the URL names when it creates a
 * connection. If it creates one to replace a lost one, nothing would catch the error, so the process would end.
 */
export class PostgresClient extends pg.Client {
  // biome-ignore lint/correctness/noUnreachableSuper: the second call is made only if the first has thrown.
  constructor(config?: string | pg.ClientConfig) {
    try {
      super(config);
    } catch (error) {
      super({ stream: () => new FailedSocket(error) });
    }
  }
}

class FailedSocket extends Socket {
  readonly #error: Error;

  constructor(error: unknown) {
    super();
    this.#error = error instanceof Error ? error : new Error(String(error));
  }

  override connect(): this {
    return this.destroy(this.#error);
  }
}

/**
 * A pool of connections. If one is lost, the statements that were using it fail. Without a listener, the process would
 * end.
 */
export function createPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, Client: PostgresClient });
  pool.on("error", () => undefined);
  // The pool itself listens only to connections that are not in use.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** Sends queries and transactions through a pool. */
export function createDatabase(pool: pg.Pool): Database {
  const dialect = new PgDialect({ casing: "snake_case" });
  const db = new NodePgDatabase(dialect, new PoolSession(pool, dialect), undefined);
  return withRetries(db as unknown as Database);
}

type NoSchema = Record<string, never>;

/**
 * Drizzle's own session does not release the connection of a transaction that cannot begin, and releases one that
 * failed as if it could be used again.
 */
class PoolSession extends NodePgSession<NoSchema, NoSchema> {
  readonly #pool: pg.Pool;
  readonly #dialect: PgDialect;

  constructor(pool: pg.Pool, dialect: PgDialect) {
    super(pool, dialect, undefined);
    this.#pool = pool;
    this.#dialect = dialect;
  }

  override async transaction<T>(
    work: (tx: NodePgTransaction<NoSchema, NoSchema>) => Promise<T>,
    config?: PgTransactionConfig,
  ): Promise<T> {
    const client = await this.#pool.connect();
    let hasFailed = false;
    try {
      const session = new NodePgSession<NoSchema, NoSchema>(whileResponding(client), this.#dialect, undefined);
      return await session.transaction(work, config);
    } catch (error) {
      hasFailed = isConnectionError(error);
      throw error;
    } finally {
      client.release(hasFailed);
    }
  }
}

/**
 * Sends statements until one gets no response within `query_timeout`. The next ones then fail at once: otherwise, the
 * rollback would wait just as long.
 */
function whileResponding(client: pg.PoolClient): pg.PoolClient {
  let failure: unknown;
  const query = async (statement: pg.QueryConfig, values: unknown[]) => {
    if (failure !== undefined) throw failure;
    try {
      return await client.query(statement, values);
    } catch (error) {
      // pg's error has no code.
      if (error instanceof Error && error.message === "Query read timeout") failure = error;
      throw error;
    }
  };
  return { query } as unknown as pg.PoolClient;
}

/** Whether a statement failed for a reason other than an error from the database. */
function isConnectionError(error: unknown): boolean {
  return error instanceof DrizzleQueryError && !(error.cause instanceof pg.DatabaseError);
}
