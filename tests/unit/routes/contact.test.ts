import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ContactForm } from "~/routes/contact/contact-form";
import { action, loader, meta } from "~/routes/contact/route";
import { args, fakeExchange, makeUser, readSession, refusal, responseOf, sessionCookie } from "../../support/site";
import { respondWith } from "./swap/fixtures";

const me = "GET /api/users/me";
const call = "POST /api/support/messages";
const sent = () => new Response(null, { status: 204 });
const typed = { email: "eve@example.org", swap: "1CRT-8K55-KRE", message: "Where is it?" };
const invalid = (fields: Record<string, string>) => () =>
  Response.json({ detail: { code: "invalid", message: "Not valid.", fields } }, { status: 422 });
const enterAddress = "Enter your e-mail address, such as ada@example.org.";

/** The status and what the page shows of a message that was not sent. */
async function refused(form: Record<string, string>, cookie?: string) {
  const result = await action(args("/contact", { form, cookie }));
  if (result instanceof Response) throw new Error("The message was sent.");
  return [result.init?.status, result.data];
}

describe("/contact, the form", () => {
  it("is empty for a visitor who is not signed in, without calling the exchange", async () => {
    const { calls } = fakeExchange({});
    expect(await loader(args("/contact"))).toEqual({ email: null, swap: "", isSent: false });
    expect(calls).toEqual([]);
  });

  it("has the number of the swap that the visitor comes from, cut to 20 characters", async () => {
    fakeExchange({});
    const show = (swap: string) => loader(args(`/contact?swap=${swap}`));
    expect(await show("1CRT-8K55-KRE")).toEqual({ email: null, swap: "1CRT-8K55-KRE", isSent: false });
    expect(await show("1".repeat(21))).toMatchObject({ swap: "1".repeat(20) });
  });

  it("says to which address we reply, and asks for one if the account cannot be read", async () => {
    const cookie = await sessionCookie();
    fakeExchange({ [me]: respondWith(makeUser()) });
    expect(await loader(args("/contact", { cookie }))).toMatchObject({ email: "ada@example.org" });
    fakeExchange({ [me]: () => refusal(409, "x", "Not now.") });
    expect(await loader(args("/contact", { cookie }))).toMatchObject({ email: null });
  });
});

describe("/contact, sending", () => {
  it("sends what a visitor typed, without the spaces around it, and then confirms that we have it", async () => {
    const exchange = fakeExchange({ [call]: sent });
    const form = { email: " eve@example.org ", swap: " 1CRT-8K55-KRE ", message: " Where is it?\r\n\r\nEve\r\n" };
    const response = await responseOf(action(args("/contact", { form })));
    expect(exchange.calls).toEqual([
      {
        call,
        token: null,
        body: { email: "eve@example.org", order_number: "1CRT-8K55-KRE", message: "Where is it?\n\nEve" },
      },
    ]);
    expect(response.status).toBe(302);
    expect(response.headers.get("X-Remix-Replace")).toBeNull();
    const location = response.headers.get("Location") ?? "";
    expect(location).toBe("/contact?sent=true");
    expect(await loader(args(location))).toEqual({ email: null, swap: "", isSent: true });
  });

  it.each([
    ["whose account can be read", respondWith(makeUser())],
    ["whose account cannot be read", () => refusal(409, "x", "Not now.")],
  ])("sends the message of a customer %s with their session, which names their address", async (_, account) => {
    const exchange = fakeExchange({ [me]: account, [call]: sent });
    const form = { swap: "", message: "Hello" };
    const response = await responseOf(action(args("/contact", { cookie: await sessionCookie(), form })));
    expect(response.headers.get("Location")).toBe("/contact?sent=true");
    expect(exchange.calls.at(-1)).toEqual({ call, token: "access-1", body: { order_number: "", message: "Hello" } });
  });

  it("asks a customer whose session has ended for an address, and keeps their message", async () => {
    const exchange = fakeExchange({
      [me]: () => refusal(401, "token_expired", "Token expired"),
      "POST /api/auth/refresh": () => refusal(401, "refresh_invalid", "Token expired"),
      [call]: invalid({ email: "Enter the address to reply to." }),
    });
    expect(await refused({ swap: "", message: "Hello" }, await sessionCookie())).toEqual([
      422,
      {
        kind: "refused",
        values: { swap: "", message: "Hello" },
        fields: { email: "Enter your e-mail address, so that we can reply." },
      },
    ]);
    expect(exchange.calls.at(-1)).toMatchObject({ call, token: null });
  });

  it.each([
    ["message", "message", "Tell us what you need help with."],
    ["order_number", "swap", "Enter the number exactly as it appears on the swap's page, such as 1CRT-8K55-KRE."],
  ])("says at its field what is wrong if the exchange refuses the %s", async (name, field, error) => {
    fakeExchange({ [call]: invalid({ [name]: "Not valid." }) });
    expect(await refused(typed)).toEqual([422, { kind: "refused", values: typed, fields: { [field]: error } }]);
  });

  it("says only that it was not sent if the exchange refuses something without a field", async () => {
    const error = "We couldn't send your message. Try again, or send an e-mail instead.";
    fakeExchange({ [call]: invalid({ other: "Not valid." }) });
    expect(await refused(typed)).toEqual([422, { kind: "refused", values: typed, error }]);
  });

  it("renews an expired session, so that the message does not count as a stranger's", async () => {
    const exchange = fakeExchange({
      [me]: ({ headers }) =>
        headers.get("X-Auth-Token") === "access-2"
          ? Response.json(makeUser())
          : refusal(401, "token_expired", "Token expired"),
      "POST /api/auth/refresh": respondWith({ access_token: "access-2", refresh_token: "refresh-2" }),
      [call]: sent,
    });
    const form = { swap: "", message: "Hello" };
    const response = await responseOf(action(args("/contact", { cookie: await sessionCookie(), form })));
    expect(exchange.calls.filter((made) => made.call === call).map(({ token }) => token)).toEqual(["access-2"]);
    expect(await readSession(response.headers)).toMatchObject({ access: "access-2", refresh: "refresh-2" });
  });

  it.each([
    ["no address", "email", "", enterAddress],
    ["half an address", "email", "eve@", enterAddress],
    ["an address of 255 characters", "email", `eve@example.${"o".repeat(243)}`, enterAddress],
    [
      "a number of 21 characters",
      "swap",
      "1".repeat(21),
      "Enter the number exactly as it appears on the swap's page, such as 1CRT-8K55-KRE.",
    ],
    ["a message without visible characters", "message", " \r\n\u200b", "Tell us what you need help with."],
    ["a message of nothing but joiners", "message", "\u200d\u200c", "Tell us what you need help with."],
    ["a message of nothing but fillers", "message", "\u3164 \u115f", "Tell us what you need help with."],
    ["a message of 4,001 characters", "message", "x".repeat(4_001), "Your message must be 4,000 characters or fewer."],
    [
      "a message of many line breaks, before it reads them,",
      "message",
      "\n".repeat(8_001),
      "Your message must be 4,000 characters or fewer.",
    ],
  ])("refuses %s beside the field, keeps what was typed and sends nothing", async (_, field, value, error) => {
    const { calls } = fakeExchange({ [call]: sent });
    const values = { ...typed, [field]: value };
    expect(await refused(values)).toEqual([422, { kind: "refused", values, fields: { [field]: error } }]);
    expect(calls).toEqual([]);
  });

  it("sends an address, a number and a message of the longest length", async () => {
    const exchange = fakeExchange({ [call]: sent });
    const longest = { email: `eve@example.${"o".repeat(242)}`, swap: "1".repeat(20), message: "x".repeat(4_000) };
    const form = { email: ` ${longest.email} `, swap: ` ${longest.swap} `, message: ` ${longest.message} ` };
    await responseOf(action(args("/contact", { form })));
    const { email, swap, message } = longest;
    // A browser sends two characters for a line break, but counts it as one while the visitor types.
    await responseOf(action(args("/contact", { form: { ...form, message: `${"x\r\n".repeat(1_999)}xy` } })));
    expect(exchange.calls.map(({ body }) => body)).toEqual([
      { email, order_number: swap, message },
      { email, order_number: swap, message: `${"x\n".repeat(1_999)}xy` },
    ]);
  });

  it.each([
    [
      "responds with 429",
      429,
      "There have been too many messages from this form in the last hour. Try again later, or send an e-mail instead.",
    ],
    ["responds with 404", 404, "We couldn't send your message. Try again, or send an e-mail instead."],
    ["responds with 500", 500, "We couldn't send your message. Try again, or send an e-mail instead."],
    ["does not respond", null, "We couldn't send your message. Try again in a minute."],
  ])("keeps what was typed and says why it was not sent if the exchange %s", async (_, status, error) => {
    const exchange = fakeExchange({
      [call]: () => (status ? refusal(status, "x", "X.") : Promise.reject(new TypeError("fetch failed"))),
    });
    expect(await refused(typed)).toEqual([422, { kind: "refused", values: typed, error }]);
    expect(exchange.count(call)).toBe(1);
  });
});

describe("/contact, the page", () => {
  it.each([
    [["swap", "message"], "swap"],
    [["email", "message"], "email"],
    [["message"], "message"],
    [[], undefined],
  ])("starts at the first invalid field: %j", (wrong, focused) => {
    const fields = Object.fromEntries(wrong.map((name) => [name, "Wrong."]));
    const result = { kind: "refused", values: {}, fields } as const;
    const html = renderToStaticMarkup(
      createElement(ContactForm, { email: null, swap: "", supportEmail: "help@antelope.example", result }),
    );
    const started = [...html.matchAll(/<(?:input|textarea)[^>]*>/g)].filter(([tag]) => tag.includes("autofocus"));
    expect(started.map(([tag]) => /name="(.*?)"/.exec(tag)?.[1])).toEqual(focused ? [focused] : []);
  });

  it.each([
    [true, "Message sent · Antelope"],
    [false, "Contact · Antelope"],
  ])("says in its title whether the message was sent: %s", (isSent, title) => {
    const data = { email: null, swap: "", isSent };
    expect(meta({ data } as Parameters<typeof meta>[0])).toContainEqual({ title });
  });
});
