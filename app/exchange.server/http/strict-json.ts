/** Even a passkey's response, which has more values than any other body, has fewer than a tenth of these. */
const maxValues = 500;

/** Why a body was refused. */
export class StrictJsonError extends Error {}

/**
 * Refuses JSON that two parsers could read differently: duplicate keys in one object (RFC 8259,
 * section 4, leaves open which one counts), and keys that could change prototypes if the body is
 * copied into a plain object. Also refuses more values than any call needs, because a schema checks each value and
 * describes each one that is wrong (T14).
 * @throws StrictJsonError
 */
export function checkStrictJson(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    throw new StrictJsonError("The body is not valid JSON.");
  }
  // PostgreSQL's text type cannot store NUL.
  if (text.includes("\\u0000")) throw new StrictJsonError("The body contains a character that is not allowed.");
  // The text is valid JSON from here on, so it is enough to find strings and brackets.
  const open: (Set<string> | null)[] = [];
  let values = 1;
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (isKey(text, end)) checkKey(text.slice(at, end), open.at(-1));
      at = end;
      continue;
    }
    // Every value but the outermost is the first in its brackets or follows a comma. Empty brackets count twice.
    if (character === "," || character === "[" || character === "{") values += 1;
    if (values > maxValues) throw new StrictJsonError("The body contains too many values.");
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(null);
    else if (character === "}" || character === "]") open.pop();
    at += 1;
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (" \t\r\n".includes(text[at] ?? "x")) at += 1;
  return text[at] === ":";
}

function checkKey(quoted: string, keys: Set<string> | null | undefined): void {
  const key = JSON.parse(quoted) as string;
  if (key === "__proto__" || key === "constructor" || key === "prototype") {
    throw new StrictJsonError("The body contains a key that is not allowed.");
  }
  if (keys?.has(key)) throw new StrictJsonError("The body contains the same key twice.");
  keys?.add(key);
}
