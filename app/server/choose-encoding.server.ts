import Negotiator from "negotiator";

export type Encoding = "br" | "gzip" | "identity";

/** The best of the available encodings that the client accepts; `identity` if it accepts none of them. */
export function chooseEncoding(acceptEncoding: string | undefined, available: readonly Encoding[]): Encoding {
  const negotiator = new Negotiator({ headers: { "accept-encoding": acceptEncoding } });
  const chosen = negotiator.encoding([...available, "identity"], { preferred: ["br", "gzip"] });
  return available.find((encoding) => encoding === chosen) ?? "identity";
}
