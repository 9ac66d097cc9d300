/**
 * The part of PostgreSQL's wire protocol that a client needs to run prepared statements
 * (postgresql.org/docs/current/protocol-message-formats.html). All values are text.
 */
export type Row = (string | null)[];

const text = new TextDecoder();

function toMessage(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export function encodeParse(name: string, query: string): Buffer {
  return toMessage("P", Buffer.from(`${name}\0${query}\0\0\0`));
}

export function encodeDescribe(name: string): Buffer {
  return toMessage("D", Buffer.from(`S${name}\0`));
}

/** Runs a prepared statement with these values: bind, execute and sync, in one buffer. */
export function encodeRun(name: string, values: readonly (string | null)[]): Buffer {
  let size = name.length + 8;
  for (const value of values) size += 4 + (value === null ? 0 : Buffer.byteLength(value));
  const message = Buffer.alloc(5 + size + runTail.length);
  message.write("B", 0, "latin1");
  message.writeInt32BE(size + 4, 1);
  let at = 6;
  at += message.write(name, at, "latin1") + 1;
  at = message.writeInt16BE(values.length, at + 2);
  for (const value of values) {
    const length = value === null ? -1 : message.write(value, at + 4);
    at = message.writeInt32BE(length, at) + Math.max(0, length);
  }
  runTail.copy(message, at + 2);
  return message;
}

export function encodeSync(): Buffer {
  return syncMessage;
}

const syncMessage = toMessage("S", Buffer.alloc(0));
const runTail = Buffer.concat([toMessage("E", Buffer.alloc(5)), syncMessage]);

type DatabaseResponse = {
  rows: Row[];
  fields: { name: string; type: number }[];
  /** Such as `UPDATE 1`. */
  tag: string;
  /** The fields of an error, by their one-letter codes. */
  error: Map<string, string> | null;
  /** Whether the database is ready for the next message. */
  isComplete: boolean;
};

/** Parses everything that the database sent back for one message. */
export function parseResponse(bytes: Uint8Array): DatabaseResponse {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const response: DatabaseResponse = { rows: [], fields: [], tag: "", error: null, isComplete: false };
  for (let at = 0; at < view.length; ) {
    const type = String.fromCharCode(view[at] ?? 0);
    const end = at + 1 + view.readInt32BE(at + 1);
    const body = view.subarray(at + 5, end);
    if (type === "D") response.rows.push(parseRow(body));
    else if (type === "T") response.fields = parseFields(body);
    else if (type === "C") response.tag = text.decode(body.subarray(0, -1));
    else if (type === "E") response.error = parseError(body);
    else if (type === "Z") response.isComplete = true;
    at = end;
  }
  return response;
}

function parseRow(body: Buffer): Row {
  const row: Row = [];
  let at = 2;
  for (let left = body.readInt16BE(0); left > 0; left -= 1) {
    const length = body.readInt32BE(at);
    at += 4;
    row.push(length < 0 ? null : body.toString("utf8", at, at + length));
    at += Math.max(0, length);
  }
  return row;
}

function parseFields(body: Buffer): DatabaseResponse["fields"] {
  const fields: DatabaseResponse["fields"] = [];
  let at = 2;
  for (let left = body.readInt16BE(0); left > 0; left -= 1) {
    const end = body.indexOf(0, at);
    fields.push({ name: body.toString("utf8", at, end), type: body.readUInt32BE(end + 7) });
    at = end + 19;
  }
  return fields;
}

function parseError(body: Buffer): Map<string, string> {
  const fields = body
    .toString("utf8")
    .split("\0")
    .filter((field) => field.length > 0);
  return new Map(fields.map((field) => [field.charAt(0), field.slice(1)]));
}
