import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parseConfig } from "~/config/config.server";
import {
  createSiteCookies,
  hasVisitedCookie,
  readNotices,
  toNoticeCookie,
  toVisitedCookie,
} from "~/session/cookies.server";

const secret = "kR7v0yQ2mZ9xT4wB6nL1pD8sF3hJ5gC_";
const configOf = (secure: boolean) => ({ ...parseConfig({ SESSION_SECRET: secret }), secure });
const value = { access: "a", refresh: null, passkey: true };

describe("the site's cookies", () => {
  it.each([
    [false, "", ""],
    [true, "__Host-", " Secure;"],
  ])("T5 are HttpOnly, Lax and for the whole site; over https (%s) also Secure and __Host-", async (...row) => {
    const [secure, prefix, flag] = row;
    const { session, challenges } = createSiteCookies(configOf(secure));
    const [a, b] = [await session.serialize(value), await challenges.email.serialize({})];
    expect(a.replace(/=[^;]+/, "=x")).toBe(`${prefix}session=x; Max-Age=43200; Path=/; HttpOnly;${flag} SameSite=Lax`);
    expect(b.replace(/=[^;]+/, "=x")).toBe(
      `${prefix}challenge-email=x; Max-Age=600; Path=/; HttpOnly;${flag} SameSite=Lax`,
    );
  });

  it.each([
    ["CODE_TTL_MS", "1800001", 1801],
    ["CHALLENGE_TTL_MS", "1200000", 1200],
    ["CODE_TTL_MS", "60000", 600],
  ])("T3 keep a challenge as long as the exchange accepts it, and at least ten minutes (%s=%s)", async (...row) => {
    const [name, ms, seconds] = row;
    const { challenges } = createSiteCookies(parseConfig({ SESSION_SECRET: secret, [name]: ms }));
    expect(await challenges.email.serialize({})).toContain(`; Max-Age=${seconds};`);
    expect(await challenges.passkey.serialize({})).toContain(`; Max-Age=${seconds};`);
  });

  it("T4 T5 are signed with a key that is derived from the secret for this purpose", async () => {
    const { session } = createSiteCookies(configOf(false));
    const [payload = "", signature] = decodeURIComponent(
      (await session.serialize(value)).split(/[=;]/, 2)[1] ?? "",
    ).split(".");
    const key = createHmac("sha256", secret).update("antelope.site-cookies").digest("base64url");
    expect(signature).toBe(createHmac("sha256", key).update(payload).digest("base64").replace(/=+$/, ""));
    const forged = createHmac("sha256", secret).update(payload).digest("base64").replace(/=+$/, "");
    const parse = (text: string) => session.parse(`session=${encodeURIComponent(text)}`);
    expect(await parse(`${payload}.${signature}`)).toEqual(value);
    expect(await parse(`${payload}.${forged}`)).toBeNull();
    expect(await parse(payload)).toBeNull();
  });

  it("S03 hasVisited lasts a year, expired and leftOpen a minute", () => {
    expect(toVisitedCookie(false)).toBe("hasVisited=true; Max-Age=31536000; Path=/; SameSite=Lax");
    expect(toVisitedCookie(true)).toBe("hasVisited=true; Max-Age=31536000; Path=/; SameSite=Lax; Secure");
    expect(toNoticeCookie("expired", false)).toBe("expired=true; Max-Age=60; Path=/; HttpOnly; SameSite=Lax");
    expect(toNoticeCookie("expired", true, 0)).toBe("expired=true; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure");
    expect(toNoticeCookie("leftOpen", false)).toBe("leftOpen=true; Max-Age=60; Path=/; HttpOnly; SameSite=Lax");
    expect(toNoticeCookie("leftOpen", true, 0)).toBe(
      "leftOpen=true; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure",
    );
  });

  it.each<[string, (header: string | null) => boolean]>([
    ["hasVisited", hasVisitedCookie],
    ["expired", (header) => readNotices(header).has("expired")],
    ["leftOpen", (header) => readNotices(header).has("leftOpen")],
  ])("S03 E01 finds %s=true wherever it is in the header, and nothing else", (name, has) => {
    const found = [`${name}=true`, `a=b; ${name}=true`, `a=b;${name}=true;c=d`, `a=b;  ${name}=true; c=d`];
    expect(found.map(has)).toEqual([true, true, true, true]);
    const others = [
      null,
      "",
      `${name}=truely`,
      `${name}=false`,
      `not${name}=true`,
      `a=${name}=true`,
      `a=b;x${name}=true`,
    ];
    expect(others.map(has)).toEqual(others.map(() => false));
  });
});
