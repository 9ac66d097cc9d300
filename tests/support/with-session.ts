import type { Database } from "~/exchange.server/db/database";

/** The same handle with another session, through which Drizzle then sends every query. */
export function withSession<D extends Database>(db: D, session: unknown): D {
  return new Proxy(db, {
    get(target, name, self) {
      if (name === "session") return session;
      return name === "_" ? { ...target._, session } : (Reflect.get(target, name, self) as unknown);
    },
  });
}
