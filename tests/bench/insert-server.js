/** A bare Node server that stores each request's body with one INSERT into PGlite: the baseline for quotes. */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { PGlite } from "@electric-sql/pglite";

const database = await PGlite.create(process.env.DATA_DIR);
await database.exec(
  "create table quotes (id bigserial primary key, body jsonb not null, at timestamptz default now())",
);
createServer(async (request, response) => {
  const { rows } = await database.query("insert into quotes (body) values ($1) returning id", [await text(request)]);
  response.writeHead(201, { "Content-Type": "application/json" }).end(JSON.stringify(rows[0]));
}).listen(Number(process.env.PORT), "127.0.0.1", () => process.stdout.write("serving\n"));
