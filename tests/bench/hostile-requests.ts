export type HostileRequest = { name: string; toBytes(port: number): Buffer };

/** With the other headers, just below the 16 KiB that Node.js reads. */
const long = (piece: string) => piece.repeat(15_500).slice(0, 15_500);

const withHeader = (path: string, name: string, piece: string): HostileRequest => ({
  name: `${name} of 15 kB on ${path}`,
  toBytes: (port) => toRequest(port, "GET", path, { [name]: long(piece) }),
});

const withJson = (name: string, path: string, toBody: () => string): HostileRequest => ({
  name,
  toBytes: (port) => toRequest(port, "POST", path, { "Content-Type": "application/json" }, toBody()),
});

const withForm = (name: string, path: string, body: string): HostileRequest => ({
  name,
  toBytes: (port) => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded", Origin: `http://localhost:${port}` };
    return toRequest(port, "POST", path, headers, body);
  },
});

const listOf = (count: number, value: unknown) => Array.from({ length: count }, () => value);

let strangers = 0;
const emailOf = () => {
  strangers += 1;
  return `stranger${strangers}@example.org`;
};

/** Requests that a hostile client may send over and over: the most expensive ones for the server that we know of. */
export const hostileRequests: HostileRequest[] = [
  withHeader("/login", "Accept-Encoding", "a;q=0.1,"),
  withHeader("/favicon.ico", "If-None-Match", 'W/"x",'),
  withHeader("/login", "Cookie", "session=x;"),
  withHeader("/api/rates", "X-Auth-Token", "aa_"),
  withHeader("/vegas", "Accept-Language", "en-US,"),
  withJson("a code by e-mail", "/api/auth", () =>
    JSON.stringify({ auth_method: "email", credentials: { identifier: emailOf() } }),
  ),
  withJson("a wrong code", "/api/auth", () =>
    JSON.stringify({ auth_method: "email", credentials: { challenge_id: "A".repeat(22), code: "123456" } }),
  ),
  withJson("passkey options", "/api/auth/passkey/login-options", () => JSON.stringify({ identifier: emailOf() })),
  withJson("deep JSON of 60 kB", "/api/swap/quotes", () => "[".repeat(60_000)),
  withJson("JSON of 60 kB", "/api/auth", () => JSON.stringify({ x: Array.from({ length: 20_000 }, () => 0) })),
  ...([240, 20_000] as const).flatMap((count) => [
    withJson(`${count} documents`, "/api/users/me/consents", () => JSON.stringify({ accepted: listOf(count, {}) })),
    withJson(`${count} transports`, "/api/auth/passkey/register/verify", () =>
      JSON.stringify({
        identifier: "stranger@example.org",
        challenge_id: "A".repeat(22),
        attestation: { id: "A", response: { transports: listOf(count, 1) } },
      }),
    ),
  ]),
  withForm("a form of 60 kB", "/login", `intent=send-code&identifier=${"a%40".repeat(15_000)}`),
  withForm("a form with 15,000 fields", "/contact", listOf(15_000, "a").join("&")),
  {
    name: "GET /__manifest",
    toBytes: (port) => toRequest(port, "GET", `/__manifest?${"p=/swap/quote/1&".repeat(500)}`, {}),
  },
  { name: "GET /api/openapi.json", toBytes: (port) => toRequest(port, "GET", "/api/openapi.json", {}) },
  { name: "GET /welcome.data", toBytes: (port) => toRequest(port, "GET", "/welcome/what-is-signal.data", {}) },
  { name: "GET /swap", toBytes: (port) => toRequest(port, "GET", "/swap/usdt-to-mob", {}) },
  { name: "no HTTP", toBytes: () => Buffer.alloc(2_000, 0xff) },
];

function toRequest(port: number, method: string, path: string, headers: Record<string, string>, body = ""): Buffer {
  const all = {
    Host: `localhost:${port}`,
    Connection: "close",
    ...headers,
    ...(body !== "" && { "Content-Length": String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}
