import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";

export type Encoding = "br" | "gzip" | "identity";

/** Longer than any browser's header. Parsing 16 kB takes milliseconds (T17). */
const maxHeaderLength = 200;

/** Most clients send one of a few headers, and parsing a header costs more than sending a small file. */
const choices = new LRUCache<string, Encoding>({ max: 200 });

/**
 * The best of the available encodings that the client accepts; `identity` if it accepts none of them or its header is
 * too long.
 */
export function chooseEncoding(acceptEncoding = "", available: readonly Encoding[]): Encoding {
  if (acceptEncoding.length > maxHeaderLength) return "identity";
  const key = `${available.join()} ${acceptEncoding}`;
  const known = choices.get(key);
  if (known) return known;
  const choice = negotiate(acceptEncoding, available);
  choices.set(key, choice);
  return choice;
}

function negotiate(acceptEncoding: string, available: readonly Encoding[]): Encoding {
  const negotiator = new Negotiator({ headers: { "accept-encoding": acceptEncoding } });
  const chosen = negotiator.encoding([...available, "identity"], { preferred: ["br", "gzip"] });
  return available.find((encoding) => encoding === chosen) ?? "identity";
}
