/** A bare Node server that sends a file's bytes with the headers given as JSON: the most that this machine can do. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [file = "", headers = "{}"] = process.argv.slice(2);
const body = readFileSync(file);
const fields = { ...JSON.parse(headers), "Content-Length": body.length };
createServer((_request, response) => response.writeHead(200, fields).end(body)).listen(
  Number(process.env.PORT),
  "127.0.0.1",
  () => process.stdout.write("serving\n"),
);
