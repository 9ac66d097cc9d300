import Negotiator from "negotiator";

export type Encoding = "br" | "gzip" | "identity";

/** Browsers send far less, and reading 16 kB takes milliseconds (T17). */
const maxHeaderLength = 200;

/**
 * The best of the available encodings that the client accepts; `identity` if it accepts none of them or its header is
 * too long.
 */
export function chooseEncoding(acceptEncoding: string | undefined, available: readonly Encoding[]): Encoding {
  if (acceptEncoding !== undefined && acceptEncoding.length > maxHeaderLength) return "identity";
  const negotiator = new Negotiator({ headers: { "accept-encoding": acceptEncoding } });
  const chosen = negotiator.encoding([...available, "identity"], { preferred: ["br", "gzip"] });
  return available.find((encoding) => encoding === chosen) ?? "identity";
}
