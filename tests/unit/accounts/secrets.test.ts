import { createSign, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isStrictEcdsaSignature } from "~/exchange.server/accounts/ecdsa-signature";
import { deriveAccessToken, deriveRefreshToken, readRefreshToken } from "~/exchange.server/accounts/tokens";
import { authenticate, deriveKey, seal, unseal } from "~/exchange.server/secrets";

const secret = "a secret that is long enough for a test";
const sessionId = "AAAAAAAAAAAAAAAAAAAAAA";

describe("keys and encryption", () => {
  it("derives a different key for each purpose", () => {
    const purposes = [
      "email-code",
      "access-token",
      "refresh-token",
      "outbox",
      "outbox-sender",
      "kyc-details",
      "known-network",
    ] as const;
    expect(new Set(purposes.map((purpose) => deriveKey(secret, purpose).toString("hex"))).size).toBe(purposes.length);
    expect(deriveKey(secret, "outbox")).toEqual(deriveKey(secret, "outbox"));
  });

  it("authenticates the boundary between two parts", () => {
    const key = deriveKey(secret, "email-code");
    expect(authenticate(key, "ab", "c")).not.toEqual(authenticate(key, "a", "bc"));
  });

  it("decrypts only with the same key and row, and never with a changed byte", () => {
    const key = deriveKey(secret, "kyc-details");
    const sealed = seal(key, "née Curie", "row-1");
    expect(unseal(key, sealed, "row-1")).toBe("née Curie");
    expect(() => unseal(key, sealed, "row-2")).toThrow();
    expect(() => unseal(deriveKey(secret, "outbox"), sealed, "row-1")).toThrow();
    const bytes = Buffer.from(sealed, "base64url");
    for (let i = 0; i < bytes.length; i += 1) {
      const changed = Buffer.from(bytes);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => unseal(key, changed.toString("base64url"), "row-1")).toThrow();
    }
    expect(seal(key, "née Curie", "row-1"), "a fresh nonce each time").not.toBe(sealed);
  });
});

describe("tokens", () => {
  it("T30 are the same for the same session and generation, and differ otherwise", () => {
    expect(deriveRefreshToken(secret, sessionId, 3)).toBe(deriveRefreshToken(secret, sessionId, 3));
    const all = [0, 1, 2].flatMap((n) => [
      deriveRefreshToken(secret, sessionId, n),
      deriveAccessToken(secret, sessionId, n),
    ]);
    expect(new Set(all).size).toBe(6);
    expect(Buffer.from(deriveAccessToken(secret, sessionId, 0).slice(3), "base64url")).toHaveLength(32);
  });

  it("reads a refresh token only if we issued it", () => {
    const token = deriveRefreshToken(secret, sessionId, 7);
    expect(readRefreshToken(secret, token)).toEqual({ sessionId, generation: 7 });
    expect(readRefreshToken("another secret", token)).toBeNull();
    expect(readRefreshToken(secret, token.replace(".7.", ".8."))).toBeNull();
    expect(readRefreshToken(secret, `${token}A`)).toBeNull();
  });
});

describe("an ECDSA signature", () => {
  it("T29 is accepted in one encoding only", () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    for (let i = 0; i < 200; i += 1) {
      const signature = createSign("sha256").update(String(i)).sign(privateKey);
      expect(isStrictEcdsaSignature(signature)).toBe(true);
      expect(isStrictEcdsaSignature(Buffer.concat([signature, Buffer.from([0])]))).toBe(false);
      for (const at of [0, 1, 2, 3]) {
        const changed = Buffer.from(signature);
        changed[at] = (changed[at] ?? 0) ^ 2;
        expect(isStrictEcdsaSignature(changed), `byte ${at}`).toBe(false);
      }
    }
    expect(isStrictEcdsaSignature(new Uint8Array())).toBe(false);
  });
});
