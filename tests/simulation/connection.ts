import type { PGlite } from "@electric-sql/pglite";
import { encodeDescribe, encodeParse, encodeRun, encodeSync, parseResponse, type Row } from "./wire";

type Parser = (text: string) => unknown;

/** A statement that the database has planned. */
type Statement = {
  name: string;
  text: string;
  fields: { name: string; parse: Parser | null }[];
  /** Tables that it names. */
  tables: number[];
  /** `read`: its result depends only on the tables' rows. `lock`: a lock, which a single connection always gets. */
  kind: "read" | "write" | "lock" | "other";
  results: Map<string, { versions: number; rows: unknown[][] }>;
};

type QueryResult = { rows: unknown[]; affectedRows: number; fields: { name: string; dataTypeID: number }[] };
type Params = readonly unknown[] | undefined;

/** The database refused a statement; `code` is its SQLSTATE. */
class DatabaseError extends Error {
  readonly code: string;
  readonly constraint: string | undefined;
  constructor(fields: ReadonlyMap<string, string>) {
    super(fields.get("M") ?? "the database failed");
    this.code = fields.get("C") ?? "";
    this.constraint = fields.get("n");
  }
}

/** By type: bool, int8, int2, int4, oid, float4, float8. Anything else stays text, which drizzle understands. */
const parsers: Record<number, Parser> = {
  16: (text) => text === "t",
  20: Number,
  21: Number,
  23: Number,
  26: Number,
  700: Number,
  701: Number,
};

const maxCachedResults = 200;
/** The identifier of the server, which PGlite makes from the time of its start. */
const sameServer = "(select 1 as system_identifier) as one_server";
/** Real time. Even on a machine fifty times slower, no transaction of a history takes this long. */
const maxWaitMs = 30_000;

/**
 * A connection for drizzle. PGlite spends most of its time on parsing, describing and planning the same few statements,
 * and the exchange's jobs mostly read again what has not changed. So each statement is prepared once, a result is
 * cached until one of its tables is written, a transaction begins at its first write, and an advisory lock, which other
 * processes never hold, costs nothing.
 */
export function createConnection(
  pglite: PGlite,
  tables: readonly string[],
  options: { remember: boolean; onWrite: (statement: string) => void },
) {
  const statements = new Map<string, Statement>();
  const numbers = new Map(tables.map((name, index) => [name, index]));
  const versions = tables.map(() => 0);
  const written = new Set<number>();
  const counts = { queries: 0, remembered: 0, executed: 0, changed: 0, hung: 0 };
  let serial = 0;

  function send(message: Uint8Array): { rows: Row[]; tag: string; fields: { name: string; type: number }[] } {
    const parts: Uint8Array[] = [];
    // This works at once, and unlike `execProtocolRawSync` PGlite does not parse the response a first time.
    void pglite.execProtocolRawStream(message, {
      syncToFs: false,
      onRawData: (part) => void parts.push(part.slice()),
    });
    const { error, isComplete, ...result } = parseResponse(
      parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts),
    );
    if (error) throw new DatabaseError(error);
    if (!isComplete) throw new Error("the database did not respond");
    return result;
  }

  function prepare(text: string): Statement {
    const known = statements.get(text);
    if (known) return known;
    serial += 1;
    const name = `s${serial}`;
    const { fields } = send(
      Buffer.concat([
        encodeParse(name, text.replace("pg_control_system()", sameServer)),
        encodeDescribe(name),
        encodeSync(),
      ]),
    );
    const statement: Statement = {
      name,
      text,
      fields: fields.map((field) => ({ name: field.name, parse: parsers[field.type] ?? null })),
      tables: [...new Set([...text.matchAll(/[a-z_]+/g)].flatMap(([word]) => numbers.get(word) ?? []))],
      kind: classify(text),
      results: new Map(),
    };
    statements.set(text, statement);
    return statement;
  }

  function touch(touched: Iterable<number>): void {
    counts.changed += 1;
    for (const table of touched) {
      versions[table] = (versions[table] ?? 0) + 1;
      written.add(table);
    }
  }

  function execute(statement: Statement, params: Params): { rows: unknown[][]; affected: number } {
    counts.executed += 1;
    const { rows, tag } = send(encodeRun(statement.name, (params ?? []).map(toText)));
    const affected = Number(/[0-9]+$/.exec(tag)?.[0] ?? 0);
    if (statement.kind === "write") options.onWrite(`${statement.text} ${JSON.stringify(params, toPlain)}`);
    // After a statement that changed nothing, every cached result is still valid.
    if (statement.kind === "write" && affected > 0) touch(statement.tables);
    const parsed = rows.map((row) =>
      row.map((text, column) => {
        const parse = statement.fields[column]?.parse;
        return text === null || !parse ? text : parse(text);
      }),
    );
    return { rows: parsed, affected };
  }

  /** Begins or ends a transaction. */
  const control = (verb: "begin" | "commit" | "rollback"): string => send(encodeRun(prepare(verb).name, [])).tag;

  const sumVersions = (statement: Statement) =>
    statement.tables.reduce((sum, table) => sum + (versions[table] ?? 0), 0);

  function read(statement: Statement, params: Params): unknown[][] {
    const key = (params ?? []).join("\u0000");
    const now = sumVersions(statement);
    const known = statement.results.get(key);
    if (options.remember && known?.versions === now) {
      counts.remembered += 1;
      return known.rows;
    }
    const { rows } = execute(statement, params);
    if (statement.results.size >= maxCachedResults) statement.results.clear();
    statement.results.set(key, { versions: now, rows });
    return rows;
  }

  /** Runs a statement in an open transaction, or in one of its own. */
  function runQuery(text: string, params: Params, rowMode: unknown, begin?: () => void): QueryResult {
    counts.queries += 1;
    const statement = prepare(text);
    const toResult = (rows: unknown[][], affectedRows: number): QueryResult => ({
      rows: rowMode === "array" ? rows : rows.map((row) => toObject(statement, row)),
      affectedRows,
      fields: [],
    });
    if (statement.kind === "lock") return toResult([statement.fields.map(() => true)], 1);
    if (statement.kind === "read") {
      try {
        return toResult(read(statement, params), 0);
      } catch (error) {
        if (!begin) throw error;
        // It must also abort the transaction that it is part of.
        begin();
        execute(statement, params);
        throw error;
      }
    }
    begin?.();
    const { rows, affected } = execute(statement, params);
    return toResult(rows, affected);
  }

  let isBusy = false;
  const waiting: (() => void)[] = [];
  /** Code that bypasses its own open transaction would wait forever. */
  const waitForTurn = () =>
    new Promise<void>((resolve, reject) => {
      const enterNow = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        counts.hung += 1;
        waiting.splice(waiting.indexOf(enterNow), 1);
        reject(new Error("a statement waited too long: did it bypass an open transaction?"));
      }, maxWaitMs);
      waiting.push(enterNow);
    });
  const enter = async () => {
    if (isBusy) await waitForTurn();
    isBusy = true;
  };
  const leave = () => {
    isBusy = false;
    const next = waiting.shift();
    if (next) {
      // No other statement may run before it.
      isBusy = true;
      next();
    }
  };

  async function transaction<T>(work: (client: unknown) => Promise<T>): Promise<T> {
    await enter();
    let hasBegun = false;
    /** Savepoints that were requested before the first write. */
    let savepoints: string[] = [];
    const touched = new Set<number>();
    const begin = () => {
      if (hasBegun) return;
      hasBegun = true;
      control("begin");
      for (const name of savepoints) execute(prepare(`savepoint ${name}`), []);
      savepoints = [];
    };
    const client = {
      async query(text: string, params?: Params, { rowMode }: { rowMode?: unknown } = {}): Promise<QueryResult> {
        const [, verb, name] = /^(savepoint|release savepoint|rollback to savepoint) (\w+)$/.exec(text) ?? [];
        if (verb && name && !hasBegun) {
          if (verb === "savepoint") savepoints.push(name);
          if (verb === "release savepoint") savepoints = savepoints.filter((one) => one !== name);
          return { rows: [], affectedRows: 0, fields: [] };
        }
        if (verb === "rollback to savepoint") touch(touched);
        const statement = prepare(text);
        if (statement.kind === "write") for (const table of statement.tables) touched.add(table);
        return runQuery(text, params, rowMode, begin);
      },
    };
    try {
      const result = await work(client);
      if (hasBegun) {
        const tag = control("commit");
        if (tag === "ROLLBACK") throw new Error("The transaction was aborted and cannot be committed.");
      }
      return result;
    } catch (error) {
      if (hasBegun) control("rollback");
      touch(touched);
      throw error;
    } finally {
      leave();
    }
  }

  return {
    counts,
    client: {
      async query(text: string, params?: Params, { rowMode }: { rowMode?: unknown } = {}): Promise<QueryResult> {
        await enter();
        try {
          return runQuery(text, params, rowMode);
        } finally {
          leave();
        }
      },
      transaction,
    },
    /** Runs one of the simulation's own statements, at once and without caching. */
    run: (text: string): Row[] => send(runOnce(text)).rows,
    /** The tables that may have rows. */
    listWritten: () => [...written].map((table) => tables[table] as string),
    /** Drops all cached results, after the tables were changed outside this connection. */
    forget({ isEmpty }: { isEmpty: boolean }): void {
      touch(versions.keys());
      if (isEmpty) written.clear();
      for (const { results } of statements.values()) results.clear();
    },
  };
}

function runOnce(text: string): Uint8Array {
  return Buffer.concat([encodeParse("", text), encodeRun("", [])]);
}

function classify(text: string): Statement["kind"] {
  if (/^\s*select pg_(try_)?advisory_xact_lock\(/i.test(text)) return "lock";
  if (/^\s*(insert|update|delete)\b/i.test(text)) return "write";
  if (/^\s*with\b/i.test(text) && /\b(insert into|update "?\w+"? set|delete from)\s/i.test(text)) return "write";
  if (!/^\s*select\b/i.test(text) || /\b(nextval|setval|clock_timestamp|now|random)\(/i.test(text)) return "other";
  return "read";
}

function toObject({ fields }: Statement, row: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name }, column) => [name, row[column]]));
}

function toPlain(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(toElement).join(",")}}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** An element of an array, as PostgreSQL reads it. */
function toElement(value: unknown): string {
  const text = toText(value);
  return text === null ? "NULL" : `"${text.replace(/["\\]/g, "\\$&")}"`;
}
