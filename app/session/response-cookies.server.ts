/**
 * The cookies that the responses to one request set. Several loaders of a request may create a response, and a cookie
 * that is set later is added to those too.
 */
export class ResponseCookies {
  /** `Set-Cookie` lines by the cookie's name. */
  readonly #lines = new Map<string, string>();
  readonly #responses: Headers[] = [];

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  /** Sets a cookie in every response, in place of an earlier one with the same name. */
  set(line: string): void {
    this.#lines.set(toCookieName(line), line);
    for (const headers of this.#responses) this.#write(headers);
  }

  /** Writes the cookies to a response's headers, now and whenever they change later. */
  writeTo(headers: Headers): void {
    this.#responses.push(headers);
    this.#write(headers);
  }

  #write(headers: Headers): void {
    if (this.isEmpty) return;
    const others = headers.getSetCookie().filter((line) => !this.#lines.has(toCookieName(line)));
    headers.delete("Set-Cookie");
    for (const line of [...others, ...this.#lines.values()]) headers.append("Set-Cookie", line);
    headers.set("Cache-Control", "private, no-store");
  }
}

function toCookieName(line: string): string {
  return line.slice(0, line.indexOf("="));
}
