import { createRandom, type Random } from "../simulation/random";
import type { FormRoute } from "./forms";
import { createText, createValue, type Schema } from "./values";

/** What the inputs may refer to: an account, its session and its data. */
export type World = {
  port: number;
  origin: string;
  token: string;
  cookie: string;
  email: string;
  addresses: string[];
  ids: string[];
};

type Operation = {
  method: string;
  path: string;
  parameters: { name: string; in: string }[];
  body?: Schema;
};
export type Surface = { operations: Operation[]; forms: FormRoute[]; resolve(ref: string): Schema };

export type Input = {
  label: string;
  bytes: Buffer;
  /** The method and path of an API call, whose response must be as documented. */
  call?: { method: string; path: string };
  /** The name in `listSurface` of the operation or form that it is for. */
  covers?: string;
  /** The bytes may not be a complete request, so closing without a response is allowed. */
  mayBeIncomplete?: boolean;
  /** The client disconnects after this many milliseconds. */
  leavesAfterMs?: number;
};

/** The part of the OpenAPI document that inputs are made from. */
export type ApiDocument = {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { name: string; in: string }[];
        requestBody?: { content?: Record<string, { schema: Schema }> };
      }
    >
  >;
  components?: { schemas?: Record<string, Schema> };
};

const text = { type: "string" };
const faucet = { address: text, asset: { enum: ["ETH", "USDT"] }, amount: text };
const payment = { address: text, amount: text };
const chainMethods = [
  ...["eth_call", "eth_estimateGas", "eth_createAccessList", "eth_feeHistory", "eth_getLogs", "eth_getProof"],
  ...["eth_getBalance", "eth_getBlockByNumber", "eth_sendRawTransaction", "eth_chainId", "anvil_reset"],
];
const transaction = { type: "object", properties: { to: text, data: text, gas: { enum: ["0xffffffffffffffff"] } } };
const loop = { enum: [{ data: "0x5b600056", gas: "0xffffffffffffffff" }] };
const parameters = { anyOf: [loop, transaction, text, { enum: ["latest", "0xffff"] }, { type: "array", items: text }] };
const chainCall = {
  type: "object",
  properties: {
    jsonrpc: { const: "2.0" },
    id: { type: "integer" },
    method: { enum: [...chainMethods, { toString: 1 }, ["eth_call"]] },
    params: { type: "array", items: parameters },
  },
  required: ["jsonrpc", "method"],
};

const sandboxCalls: [path: string, body: Schema][] = [
  ["/sandbox/ethereum", { anyOf: [chainCall, { type: "array", items: chainCall }] }],
  ["/sandbox/faucet", { type: "object", properties: faucet, required: Object.keys(faucet) }],
  ["/sandbox/mobilecoin/pay", { type: "object", properties: payment, required: Object.keys(payment) }],
];

/** Everything that can be called, from the API's own document and the schemas of the forms. */
export function readSurface(document: ApiDocument, forms: FormRoute[]): Surface {
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const body = requestBody?.content?.["application/json"]?.schema;
      return { method: method.toUpperCase(), path, parameters, ...(body && { body }) };
    }),
  );
  const resolve = (ref: string) => document.components?.schemas?.[ref.split("/").at(-1) ?? ""] ?? {};
  // The API's document does not have the sandbox's calls.
  const ofSandbox = sandboxCalls.map(([path, body]) => ({ method: "POST", path, parameters: [], body }));
  return { operations: [...documented, ...ofSandbox], forms, resolve };
}

const toName = ({ method, path }: Pick<Operation, "method" | "path">) => `${method} ${path}`;
const toFormName = (path: string, intent: string | undefined) => `form ${path} ${intent ?? ""}`.trim();

/** The names of every operation and of every intent of every form. */
export function listSurface({ operations, forms }: Surface): string[] {
  const ofForms = forms.flatMap(({ path, intents }) =>
    intents.length > 0 ? intents.map((intent) => toFormName(path, intent)) : [toFormName(path, undefined)],
  );
  return [...operations.map(toName), ...ofForms];
}

/** The input number `index` of a seed: the same for the same account, whatever was sent before it. */
export function createInput(seed: number, index: number, world: World, surface: Surface): Input {
  const random = createRandom(seed * 0x1_0000_0000 + index);
  const kind = random.weighted({ call: 8, form: 4, page: 3, headers: 3, bytes: 3, ahead: 1, left: 1 });
  const maker = new InputMaker(random, world, surface);
  return maker[kind]();
}

type Headers = [name: string, value: string][];

const pages = [
  ...["/", "/login", "/register", "/swap", "/swap/usdt-to-mob", "/swap/mob-to-usdt", "/swap/deliveryaddress"],
  ...["/swap/deliveryaddress/add", "/swap/quote/:id", "/kyc", "/doger", "/sandbox", "/welcome", "/welcome/:id"],
  ...["/swap/orders/:id/events", "/swap/orders/:id/receipt", "/vegas", "/offline", "/doger/export.csv", "/styleguide"],
  ...["/nope", "/api/nope", "/api/openapi.json", "/sandbox/inbox", "/sandbox/mobilecoin/wallet", "/assets/x.js"],
  ...["/doger/data.zip", "/doger/delete", "/account-deleted", "/swap/orders/:id/receipt.pdf", "/track/:id"],
  ...["/help", "/help/:id", "/fees", "/contact", "/status", "/legal/:id"],
  ...["/favicon.ico", "/sw.js", "/robots.txt", "/.well-known/x", "/__manifest"],
];
const queryNames = [
  ...["redirect", "source_amount", "target_amount", "amount", "delivery", "refund", "type", "range", "cursor", "limit"],
  ...["to", "step", "_routes", "index", "_data", "source", "quote_id"],
];
const headerNames = [
  ...[
    "Accept",
    "Accept-Encoding",
    "Accept-Language",
    "Authorization",
    "Cache-Control",
    "Connection",
    "Content-Encoding",
  ],
  ...["Content-Length", "Content-Type", "Cookie", "Expect", "Forwarded", "Host", "If-Match", "If-Modified-Since"],
  ...["If-None-Match", "If-Range", "Idempotency-Key", "Last-Event-ID", "Origin", "Range", "Referer", "Sec-Fetch-Site"],
  ...["Sec-Purpose", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent", "X-Auth-Token", "X-Forwarded-For"],
  ...["X-Forwarded-Host", "X-HTTP-Method-Override", "X-Remix-Revalidate", "X-Request-Id", "Purpose", "DNT"],
];
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "M-SEARCH"];
const hostile = [
  "a",
  ",",
  ", ",
  ";q=0.1,",
  " ",
  "\t",
  "a=b;",
  '"',
  'W/"x",',
  "bytes=0-1,",
  "*/*,",
  "en-US,",
  "=",
  "(",
  "\xff",
];

class InputMaker {
  readonly #random: Random;
  readonly #world: World;
  readonly #surface: Surface;
  readonly #known: string[];

  constructor(random: Random, world: World, surface: Surface) {
    this.#random = random;
    this.#world = world;
    this.#surface = surface;
    this.#known = [...world.ids, ...world.addresses, world.email];
  }

  /** An operation of the API with values for its parameters and body. */
  call(): Input {
    const random = this.#random;
    const { method, path: template, parameters, body } = random.pick(this.#surface.operations);
    const used = random.chance(0.93) ? method : random.pick(methods);
    const path = template.replace(
      /\{\w+\}/g,
      () => encodeURIComponent(toWellFormed(this.#text()).slice(0, 600)) || "x",
    );
    const query = parameters
      .filter((parameter) => parameter.in === "query" && random.chance(0.6))
      .map(({ name }) => `${name}=${encodeURIComponent(toWellFormed(this.#text()).slice(0, 600))}`);
    const headers: Headers = [
      ["Content-Type", random.chance(0.95) ? "application/json" : this.#headerText().slice(0, 2_000)],
    ];
    if (random.chance(0.8)) headers.push(["X-Auth-Token", this.#token()]);
    if (random.chance(0.7))
      headers.push([
        "Idempotency-Key",
        random.chance(0.9) ? `key-${random.int(50)}` : toHeader(this.#text()).slice(0, 2_000),
      ]);
    const text = body && used !== "GET" ? this.#json(body) : "";
    const target = query.length > 0 ? `${path}?${query.join("&")}` : path;
    return {
      label: `${used} ${template}`,
      bytes: this.#request(used, target, headers, text),
      // A segment of dots resolves to a different path, which may belong to another operation.
      ...(template.startsWith("/api/") &&
        new URL(path, this.#world.origin).pathname === path && { call: { method: used, path: target } }),
      covers: toName({ method: used, path: template }),
    };
  }

  /** A form of a page, as a document or as data. */
  form(): Input {
    const random = this.#random;
    const { path: template, intents, fields } = random.pick(this.#surface.forms);
    const path = this.#fill(template) + (random.chance(0.3) ? ".data" : "") + this.#query();
    const entries = fields.filter(() => random.chance(0.6)).map((name): [string, string] => [name, this.#text()]);
    const intent = intents.length > 0 && random.chance(0.97) ? random.pick(intents) : undefined;
    if (intent !== undefined) entries.push(["intent", intent]);
    if (random.chance(0.03) && entries[0]) entries.push(entries[0]);
    const isMultipart = random.chance(0.1);
    const body = isMultipart ? toMultipart(entries) : new URLSearchParams(entries.map(toWellFormedPair)).toString();
    const type = isMultipart ? "multipart/form-data; boundary=x" : "application/x-www-form-urlencoded";
    const headers: Headers = [
      ["Content-Type", random.chance(0.96) ? type : this.#headerText()],
      ["Cookie", this.#cookie()],
    ];
    if (random.chance(0.95)) headers.push(["Origin", this.#world.origin]);
    const covers = toFormName(template, intent);
    return { label: covers, bytes: this.#request("POST", path, headers, body), covers };
  }

  /** A page, a resource or a file. */
  page(): Input {
    const random = this.#random;
    const template = random.pick(pages);
    const method = random.chance(0.85) ? "GET" : random.pick(methods);
    const path = this.#fill(template) + (random.chance(0.25) ? ".data" : "") + this.#query();
    return { label: `${method} ${template}`, bytes: this.#request(method, path, [["Cookie", this.#cookie()]], "") };
  }

  /** A plain request with odd headers, as long as the server takes them. */
  headers(): Input {
    const random = this.#random;
    const template = random.chance(0.5) ? random.pick(pages) : random.pick(this.#surface.operations).path;
    const headers: Headers = [];
    let left = 15_500;
    for (let i = 0; i <= random.int(4); i += 1) {
      const value = this.#headerText().slice(0, left);
      left -= value.length;
      headers.push([random.pick(headerNames), value]);
    }
    const method = random.chance(0.7) ? "GET" : random.pick(methods);
    const bytes = this.#request(method, this.#fill(template.replace(/\{\w+\}/, ":id")), headers, "");
    return { label: `headers of ${method} ${template}`, bytes, mayBeIncomplete: true };
  }

  /** The bytes of another input with some of them changed. */
  bytes(): Input {
    const random = this.#random;
    const other = this[random.pick(["call", "form", "page", "headers"] as const)]();
    let bytes = other.bytes;
    for (let i = 0; i <= random.int(4); i += 1) bytes = this.#mutate(bytes);
    return { label: `bytes of ${other.label}`, bytes, mayBeIncomplete: true };
  }

  /** Several requests at once on one connection, of which the last one closes it. */
  ahead(): Input {
    const random = this.#random;
    const others = Array.from({ length: 2 + random.int(5) }, () =>
      this[random.pick(["call", "form", "page"] as const)](),
    );
    const last = others.length - 1;
    const bytes = others.map((other, i) => (i < last ? keepOpen(other.bytes) : other.bytes));
    return {
      label: others.map(({ label }) => label).join(", then "),
      bytes: Buffer.concat(bytes),
      mayBeIncomplete: true,
    };
  }

  /** Another input, whose client does not wait for the response. */
  left(): Input {
    const random = this.#random;
    const { label, bytes } = this[random.pick(["call", "form", "page", "ahead"] as const)]();
    return { label: `left: ${label}`, bytes, mayBeIncomplete: true, leavesAfterMs: random.int(50) };
  }

  #mutate(bytes: Buffer): Buffer {
    const random = this.#random;
    // The beginning matters most.
    const at = random.int(random.chance(0.7) ? Math.min(bytes.length, 200) : bytes.length);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    switch (random.weighted({ flip: 4, insert: 3, remove: 3, cut: 1, repeat: 2, lines: 2 })) {
      case "flip":
        return Buffer.concat([before, random.bytes(1), after.subarray(1)]);
      case "insert":
        return Buffer.concat([before, random.bytes(1 + random.int(8)), after]);
      case "remove":
        return Buffer.concat([before, after.subarray(1 + random.int(20))]);
      case "cut":
        return before;
      case "repeat":
        return Buffer.concat([bytes, after.subarray(0, 500)]);
      case "lines":
        return Buffer.concat([
          before,
          Buffer.from(random.pick(["\r\n", "\n", "\r", "\r\n\r\n", "\0", "0\r\n\r\n"])),
          after,
        ]);
    }
  }

  #text(): string {
    return createText(this.#random, this.#known);
  }

  #json(schema: Schema): string {
    const random = this.#random;
    const text = JSON.stringify(createValue(random, schema, this.#known, this.#surface.resolve)) ?? "";
    switch (random.weighted({ right: 20, twice: 1, cut: 1, deep: 1, empty: 1 })) {
      case "right":
        return text;
      case "twice":
        return text.replace(/^\{("[^"]*":)/, "{$1 0,$1");
      case "cut":
        return text.slice(0, random.int(text.length + 1));
      case "deep":
        return "[".repeat(random.pick([10, 1_000, 60_000]));
      case "empty":
        return "";
    }
  }

  #fill(template: string): string {
    return template.replace(/:\w+/g, () => encodeURIComponent(toWellFormed(this.#text())).slice(0, 6_000) || "x");
  }

  #query(): string {
    const count = this.#random.weighted({ 0: 4, 1: 3, 2: 2, 5: 1 } as Record<string, number>);
    const pairs = Array.from({ length: Number(count) }, () => {
      const value = this.#text().slice(0, 1_000);
      return `${this.#random.pick(queryNames)}=${encodeURIComponent(toWellFormed(value))}`;
    });
    return pairs.length > 0 ? `?${pairs.join("&")}` : "";
  }

  #token(): string {
    return this.#random.chance(0.85) ? this.#world.token : toHeader(this.#text()).slice(0, 2_000);
  }

  #cookie(): string {
    const random = this.#random;
    if (random.chance(0.6)) return this.#world.cookie;
    if (random.chance(0.3)) return "hasVisited=true";
    if (random.chance(0.5))
      return `tz=${this.#headerText().slice(0, 3_000)}; theme=${this.#headerText().slice(0, 3_000)}`;
    // A real cookie with one character changed.
    const { cookie } = this.#world;
    const at = random.int(cookie.length);
    return `${cookie.slice(0, at)}x${cookie.slice(at + 1)}`;
  }

  #headerText(): string {
    const random = this.#random;
    if (random.chance(0.4)) return toHeader(this.#text());
    return random
      .pick(hostile)
      .repeat(random.pick([1, 50, 1_000, 15_000]))
      .slice(0, 15_500);
  }

  #request(method: string, target: string, headers: Headers, body: string): Buffer {
    const head = [`${method} ${target} HTTP/1.1`];
    const all: Headers = [["Host", `localhost:${this.#world.port}`], ["Connection", "close"], ...headers];
    if (body !== "") all.push(["Content-Length", String(Buffer.byteLength(body))]);
    for (const [name, value] of all) head.push(`${name}: ${value}`);
    return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), Buffer.from(body)]);
  }
}

function keepOpen(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString("latin1").replace("Connection: close\r\n", ""), "latin1");
}

/** Replaces all surrogates, because lone ones cannot be encoded. */
function toWellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/g, "?");
}

function toWellFormedPair([name, value]: [string, string]): [string, string] {
  return [name, toWellFormed(value)];
}

/** Replaces what HTTP does not allow in a header. Inputs with changed bytes cover invalid headers. */
function toHeader(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "?");
}

function toMultipart(entries: [string, string][]): string {
  const part = ([name, value]: [string, string]) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  return `${entries.map(part).join("")}--x--\r\n`;
}
