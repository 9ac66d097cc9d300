import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

type Received = { path: string; headers: Record<string, string | string[] | undefined>; body: Buffer };

/**
 * A push service on the loopback interface: accepts messages (RFC 8030) and responds with `status`. `delaysMs` are how
 * long the next messages take to arrive, and `hold` what all of them wait for.
 */
export async function startPushService() {
  const received: Received[] = [];
  const delaysMs: number[] = [];
  const service = {
    received,
    delaysMs,
    hold: Promise.resolve(),
    status: 201,
    retryAfter: "",
    origin: "",
    stop: async () => undefined as undefined,
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    await sleep(delaysMs.shift() ?? 0);
    await service.hold;
    received.push({ path: request.url ?? "", headers: request.headers, body });
    const headers = {
      ...(service.status === 307 && { Location: "/elsewhere" }),
      ...(service.retryAfter !== "" && { "Retry-After": service.retryAfter }),
    };
    response.writeHead(service.status, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  service.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service.stop = () => new Promise((resolve) => server.close(() => resolve(undefined)));
  return service;
}

/** A browser with a subscription at a push service: it alone can decrypt what is sent to it. */
export class PushBrowser {
  readonly #keys: ECDH = createECDH("prime256v1");
  readonly #secret = randomBytes(16);
  readonly endpoint: string;

  constructor(origin: string) {
    this.#keys.generateKeys();
    this.endpoint = `${origin}/send/${randomBytes(8).toString("hex")}`;
  }

  get subscription() {
    const keys = { p256dh: this.#keys.getPublicKey("base64url"), auth: this.#secret.toString("base64url") };
    return { endpoint: this.endpoint, keys };
  }

  /** Decrypts a message with one record (RFC 8188, RFC 8291). */
  decrypt(body: Buffer): unknown {
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + body.readUInt8(20));
    const sealed = body.subarray(21 + sender.length);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.#keys.getPublicKey(), sender]);
    const input = Buffer.from(hkdfSync("sha256", this.#keys.computeSecret(sender), this.#secret, info, 32));
    const key = Buffer.from(hkdfSync("sha256", input, salt, "Content-Encoding: aes128gcm\0", 16));
    const nonce = Buffer.from(hkdfSync("sha256", input, salt, "Content-Encoding: nonce\0", 12));
    const cipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
  }
}

/** The claims of a message's VAPID token (RFC 8292), or null if its signature is not by `publicKey`. */
export function readVapid({ headers }: Received, publicKey: string): { aud: string; sub: string } | null {
  const { token = "", key } =
    /^vapid t=(?<token>[^,]+), k=(?<key>.+)$/.exec(String(headers.authorization))?.groups ?? {};
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const signer = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const options = { key: signer, dsaEncoding: "ieee-p1363" } as const;
  const isSigned = verify("sha256", Buffer.from(`${head}.${claims}`), options, Buffer.from(signature, "base64url"));
  return isSigned && key === publicKey ? JSON.parse(Buffer.from(claims, "base64url").toString()) : null;
}
