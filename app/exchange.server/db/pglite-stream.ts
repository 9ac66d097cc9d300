import { Duplex } from "node:stream";

/** Responds to messages of PostgreSQL's protocol with the server's messages. */
export type SendMessages = (messages: Uint8Array) => Promise<Uint8Array>;

/** The client's message Terminate, after which a server would end its process. */
const terminate = Buffer.from([0x58, 0, 0, 0, 4]);

/** What `pg` uses as its socket, with PGlite at the other end. */
export class PgliteStream extends Duplex {
  readonly #send: SendMessages;

  constructor(send: SendMessages) {
    super();
    this.#send = send;
  }

  connect(): void {
    queueMicrotask(() => this.emit("connect"));
  }
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#forward([chunk], done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this.#forward(
      chunks.map(({ chunk }) => chunk),
      done,
    );
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  /** Sends the messages of a statement together, which costs PGlite one call instead of five. */
  #forward(chunks: Buffer[], done: (error?: Error) => void): void {
    const messages = chunks.filter((chunk) => !chunk.equals(terminate));
    if (messages.length === 0) {
      done();
      return;
    }
    this.#send(Buffer.concat(messages)).then((response) => {
      this.push(response);
      done();
    }, done);
  }
}
