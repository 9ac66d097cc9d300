/**
 * Sends messages of PostgreSQL's protocol to PGlite and returns the server's messages. Unlike `execProtocolRaw`, it
 * does not also parse them, which `pg` does.
 * @param {import("@electric-sql/pglite").PGlite} pglite
 * @param {Uint8Array} messages
 * @returns {Promise<Uint8Array<ArrayBuffer>>} with a buffer of its own, which can be transferred
 */
export async function sendMessages(pglite, messages) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  // PGlite reuses the memory of each part.
  await pglite.execProtocolRawStream(messages, { onRawData: (part) => void parts.push(Uint8Array.from(part)) });
  const [first] = parts;
  return first && parts.length === 1 ? first : Uint8Array.from(Buffer.concat(parts));
}
