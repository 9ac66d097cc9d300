import type { Random } from "../simulation/random";

/** The part of JSON Schema that the API's document uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

const odd = [
  ...["", " ", "0", "-1", "1e999", "NaN", "null", "true", "__proto__", "constructor", "a,b", "\u0000", "\r\nX: y"],
  ...[
    "%00",
    "%ff",
    "../../etc/passwd",
    "'; drop table orders; --",
    "<script>1</script>",
    "{{7*7}}",
    "\ud800",
    "\u202e",
  ],
  ...["٣", "１", "1_000", "0x10", "00020", "20.0000001", "9".repeat(80), "2026-02-30", "1990-04-30", "GB", "passport"],
  ...["20", "100", "USDT", "MOB", "ETH", "email", "passkey", "refund", "accept", "requote", "approved", "source"],
  ...["a@b.example", "a@b@c", `${"a".repeat(60)}@example.org`, "//evil.example", "/swap", "javascript:alert(1)"],
];
const repeated = [
  "a",
  " ",
  "0",
  "1,",
  "@",
  ".",
  "/",
  "\\",
  "%2e",
  "[",
  '{"a":',
  "\u00e9",
  "\ud83e\udd8c",
  "=",
  ";q=0.",
  "-",
];
const lengths = [1, 60, 61, 64, 65, 254, 255, 512, 1_025, 5_000, 20_000];

/** Text: one that the account has, an odd one, a long one or random characters. */
export function createText(random: Random, known: readonly string[]): string {
  switch (random.weighted({ known: 5, odd: 6, long: 2, characters: 2 })) {
    case "known":
      return random.pick(known);
    case "odd":
      return random.pick(odd);
    case "long":
      return random.pick(repeated).repeat(random.pick(lengths)).slice(0, 20_000);
    case "characters":
      return String.fromCharCode(...Array.from({ length: random.int(40) }, () => random.int(0x3000)));
  }
}

/** A value for a schema. Every tenth value does not match it. */
export function createValue(random: Random, schema: Schema, known: readonly string[], resolve: Resolve): unknown {
  if (random.chance(0.1)) return createOddValue(random, known);
  const found = schema.$ref ? resolve(schema.$ref) : schema;
  const choices = found.anyOf ?? found.oneOf;
  if (choices?.length) return createValue(random, random.pick(choices), known, resolve);
  if (found.allOf) {
    return Object.assign({}, ...found.allOf.map((part) => createValue(random, part, known, resolve)));
  }
  if (found.const !== undefined) return found.const;
  if (found.enum) return random.pick(found.enum);
  const type = Array.isArray(found.type) ? random.pick(found.type) : found.type;
  switch (type) {
    case "object":
      return createObject(random, found, known, resolve);
    case "array":
      return Array.from({ length: random.int(4) }, () => createValue(random, found.items ?? {}, known, resolve));
    case "integer":
    case "number":
      return random.pick([0, 1, -1, 0.5, 1e21, 2 ** 53, Number(random.int(10_000))]);
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    default:
      return createText(random, known);
  }
}

export type Resolve = (ref: string) => Schema;

function createObject(random: Random, schema: Schema, known: readonly string[], resolve: Resolve): unknown {
  const entries = Object.entries(schema.properties ?? {}).filter(([name]) =>
    random.chance(schema.required?.includes(name) ? 0.95 : 0.5),
  );
  const members = entries.map(([name, member]) => [name, createValue(random, member, known, resolve)]);
  if (random.chance(0.05)) members.push([createText(random, known), createOddValue(random, known)]);
  return Object.fromEntries(members);
}

function createOddValue(random: Random, known: readonly string[]): unknown {
  const kind = random.weighted({ text: 5, number: 2, nothing: 1, list: 1, object: 1 });
  if (kind === "number") return random.pick([0, -0, 1.5, -1, 1e308, 2 ** 53 + 2]);
  if (kind === "nothing") return random.pick([null, true, false]);
  if (kind === "list") return Array.from({ length: random.pick([0, 1, 3, 2_000]) }, () => 0);
  if (kind === "object") return random.chance(0.5) ? {} : { [createText(random, known)]: null };
  return createText(random, known);
}
