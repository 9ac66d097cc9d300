import { createHash } from "node:crypto";
import type { Encoding } from "./choose-encoding.server";
import { brotliText, gzipBytes } from "./compress.server";

/** Brotli's best quality takes twenty times as long as `quick`, so it is for pages that are sent often. */
const quality = { quick: 5, best: 11 };
const sendsForBest = 20;

/** A rendered page with its headers, and its bytes in each encoding requested so far. */
export class StoredPage {
  readonly etag: string;
  readonly #html: Buffer;
  readonly #bodies = new Map<Encoding, Buffer | Promise<Buffer>>();
  #brotliSends = 0;
  static #isImproving = false;

  constructor(
    html: string,
    readonly headers: Readonly<Record<string, string>>,
  ) {
    this.#html = Buffer.from(html);
    this.#bodies.set("identity", this.#html);
    const hash = createHash("sha256").update(this.#html).update(JSON.stringify(headers));
    // Weak, because the bytes change when the page is compressed better.
    this.etag = `W/"${hash.digest("base64url").slice(0, 22)}"`;
  }

  get bytes(): number {
    return this.#html.length;
  }

  /** The page's bytes; a promise while they are compressed for the first time. */
  body(encoding: Encoding): Buffer | Promise<Buffer> {
    if (encoding === "br" && ++this.#brotliSends === sendsForBest) this.#improve();
    const known = this.#bodies.get(encoding);
    if (known) return known;
    const compressing = encoding === "br" ? brotliText(this.#html, quality.quick) : gzipBytes(this.#html);
    this.#bodies.set(encoding, compressing);
    void compressing.then(
      (body) => this.#bodies.set(encoding, body),
      () => this.#bodies.delete(encoding),
    );
    return compressing;
  }

  /** Compresses in another thread, one page at a time; until then the quickly compressed bytes are sent. */
  #improve(): void {
    if (StoredPage.#isImproving) {
      this.#brotliSends = 0;
      return;
    }
    StoredPage.#isImproving = true;
    void brotliText(this.#html, quality.best)
      .then(
        (body) => this.#bodies.set("br", body),
        () => undefined,
      )
      .finally(() => {
        StoredPage.#isImproving = false;
      });
  }
}
