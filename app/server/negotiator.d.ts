/** What we use of negotiator. @types/negotiator describes 0.6, which has no `preferred`. */
declare module "negotiator" {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string | undefined> });
    /** `preferred` decides between encodings that the client rates equally. */
    encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
    /** The languages that the client accepts, those with the highest weight first. */
    languages(): string[];
  }
}
