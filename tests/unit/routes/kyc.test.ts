import { afterEach, describe, expect, it, vi } from "vitest";
import { listOpenVersions } from "~/content/consent.server";
import { listCurrentVersions } from "~/content/legal.server";
import type { DocumentVersion } from "~/lib/consent";
import { listCountries } from "~/lib/countries";
import { action, loader } from "~/routes/kyc/route";
import { getScope } from "~/session/scope.server";
import {
  args,
  exchangeUnreachable,
  fakeExchange,
  makeUser,
  readSession,
  refusal,
  responseOf,
  sessionCookie,
} from "../../support/site";

const me = "GET /api/users/me";
const application = {
  intent: "apply",
  first_name: "Ada",
  last_name: "Lovelace",
  date_of_birth: "1990-04-30",
  country: "GB",
  document_type: "passport",
  document_number: "X 123",
};
const unverified = () => Response.json(makeUser({ kyc_status: "not_started" }));

describe("/kyc", () => {
  it("R13 without a passkey redirects to /login with redirect=/kyc and message=true", async () => {
    fakeExchange({});
    const response = await responseOf(loader(args("/kyc?redirect=/swap")));
    expect(response.headers.get("Location")).toBe("/login?redirect=%2Fkyc&message=true");
  });

  it("R13 V01 follows the redirect once approved, and drops a redirect to another site", async () => {
    const exchange = fakeExchange({
      [me]: () => Response.json(makeUser()),
      "GET /api/kyc": () => Response.json({ status: "approved", reasons: [], updated_at: null }),
    });
    const cookie = await sessionCookie();
    const response = await responseOf(loader(args("/kyc?redirect=/swap/usdt-to-mob", { cookie })));
    expect(response.headers.get("Location")).toBe("/swap/usdt-to-mob");
    expect(response.headers.get("X-Remix-Replace")).toBe("true");
    expect(exchange.count("GET /api/kyc")).toBe(0);
    expect(await loader(args("/kyc?redirect=//evil.example", { cookie }))).toEqual({
      redirect: null,
      kyc: { status: "approved", reasons: [], updated_at: null },
      email: "ada@example.org",
      step: "wait",
      countries: [],
      versions: [],
    });
  });

  it.each([
    ["not_started", "apply"],
    ["rejected", "apply"],
    ["pending", "wait"],
  ] as const)("R13 stays until the application is approved: %s shows the step %s", async (status, step) => {
    const kyc = { status, reasons: status === "rejected" ? ["document_unreadable"] : [], updated_at: null };
    fakeExchange({
      [me]: () => Response.json(makeUser({ kyc_status: status })),
      "GET /api/kyc": () => Response.json(kyc),
    });
    expect(await loader(args("/kyc?redirect=/swap", { cookie: await sessionCookie() }))).toEqual({
      redirect: "/swap",
      kyc,
      email: "ada@example.org",
      step,
      countries: step === "apply" ? listCountries() : [],
      versions: step === "apply" ? listOpenVersions([]) : [],
    });
  });

  it("R13 follows the redirect if the decision falls between reading the user and the application", async () => {
    fakeExchange({
      [me]: () => Response.json(makeUser({ kyc_status: "pending" })),
      "GET /api/kyc": () => Response.json({ status: "approved", reasons: [], updated_at: null }),
    });
    const response = await responseOf(
      loader(args("/kyc?redirect=/swap/usdt-to-mob", { cookie: await sessionCookie() })),
    );
    expect(response.headers.get("Location")).toBe("/swap/usdt-to-mob");
  });

  it("first asks to confirm the e-mail address, with the account's own token and address", async () => {
    const exchange = fakeExchange({
      [me]: () => Response.json(makeUser({ email_verified: false, kyc_status: "not_started" })),
      "POST /api/auth": (_request, body) =>
        JSON.stringify(body).includes("identifier")
          ? Response.json({ challenge_id: "c", challenge: "email" }, { status: 202 })
          : Response.json({ access_token: "access-2", refresh_token: "refresh-2" }),
    });
    const cookie = await sessionCookie();
    const data = {
      redirect: "/swap",
      kyc: { status: "not_started", reasons: [], updated_at: null },
      email: "ada@example.org",
      countries: [],
      versions: [],
    };
    expect(await loader(args("/kyc?redirect=/swap", { cookie }))).toEqual({ ...data, step: "confirm-email" });
    const sent = await responseOf(
      action(args("/kyc?redirect=/swap", { cookie, form: { intent: "send-code", identifier: "eve@evil.example" } })),
    );
    expect(sent.headers.get("Location")).toBe("/kyc?redirect=%2Fswap");
    expect(sent.headers.get("X-Remix-Replace")).toBe("true");
    const challenge = sent.headers.getSetCookie()[0]?.split(";", 1)[0];
    expect(exchange.calls.find(({ call }) => call === "POST /api/auth")).toMatchObject({
      token: "access-1",
      body: { credentials: { identifier: "ada@example.org" } },
    });
    const waiting = `${cookie}; ${challenge}`;
    expect(await loader(args("/kyc?redirect=/swap", { cookie: waiting }))).toEqual({ ...data, step: "code" });
    expect(exchange.count("GET /api/kyc")).toBe(0);
    const proven = await responseOf(
      action(args("/kyc", { cookie: waiting, form: { intent: "verify-code", code: "123456" } })),
    );
    expect(proven.headers.get("Location")).toBe("/kyc");
    expect(exchange.calls.at(-1)?.token).toBe("access-1");
    expect(await readSession(proven.headers)).toEqual({ access: "access-2", refresh: "refresh-2", passkey: true });
  });

  it("reports a missing code at its field, and sends nothing", async () => {
    const exchange = fakeExchange({ [me]: unverified });
    const cookie = await sessionCookie();
    expect(await action(args("/kyc", { cookie, form: { intent: "verify-code" } }))).toEqual({
      kind: "refused",
      values: {},
      fields: { code: "Enter the six digits from the e-mail." },
    });
    expect(exchange.calls.map(({ call }) => call)).toEqual([me]);
  });

  it("V07 does not request a code if the account has no valid e-mail address", async () => {
    const exchange = fakeExchange({ [me]: () => Response.json(makeUser({ email: "ada" })) });
    expect(await action(args("/kyc", { cookie: await sessionCookie(), form: { intent: "send-code" } }))).toEqual({
      kind: "refused",
      values: { identifier: "ada" },
      fields: { identifier: "Enter your e-mail address, such as ada@example.org." },
    });
    expect(exchange.calls.map(({ call }) => call)).toEqual([me]);
  });

  it("sends the application and redirects back to its status", async () => {
    const exchange = fakeExchange({
      [me]: unverified,
      "POST /api/kyc": () => Response.json({ status: "pending", reasons: [], updated_at: null }, { status: 202 }),
    });
    const response = await responseOf(
      action(args("/kyc?redirect=/swap", { cookie: await sessionCookie(), form: application })),
    );
    expect(response.headers.get("Location")).toBe("/kyc?redirect=%2Fswap");
    const { intent: _, ...sent } = application;
    expect(exchange.calls.at(-1)?.body).toEqual(sent);
  });

  it("records the versions that the form shows before it sends the application", async () => {
    const exchange = fakeExchange({
      [me]: unverified,
      "GET /api/kyc": () => Response.json({ status: "not_started", reasons: [], updated_at: null }),
      "POST /api/users/me/consents": () => Response.json({ items: [] }),
      "POST /api/kyc": () => Response.json({ status: "pending", reasons: [], updated_at: null }, { status: 202 }),
    });
    const cookie = await sessionCookie();
    const { versions } = (await loader(args("/kyc", { cookie }))) as { versions: DocumentVersion[] };
    expect(versions.map(({ document }) => document)).toEqual(["terms", "privacy"]);
    const shown = Object.fromEntries(versions.map(({ document, version }) => [document, version]));
    await responseOf(action(args("/kyc", { cookie, form: { ...application, ...shown } })));
    const { intent: _, ...sent } = application;
    expect(exchange.calls.filter(({ call }) => call.startsWith("POST"))).toMatchObject([
      { call: "POST /api/users/me/consents", token: "access-1", body: { accepted: listCurrentVersions() } },
      { call: "POST /api/kyc", body: sent },
    ]);
  });

  it("records and sends nothing if the terms changed after the form was shown", async () => {
    const exchange = fakeExchange({ [me]: unverified });
    const form = { ...application, terms: "before", privacy: "before" };
    const { intent: _, ...values } = application;
    expect(await action(args("/kyc", { cookie: await sessionCookie(), form }))).toEqual({
      kind: "refused",
      values,
      error: expect.stringContaining("changed while this page was open"),
    });
    expect(exchange.count("POST /api/kyc") + exchange.count("POST /api/users/me/consents")).toBe(0);
  });

  it("does not send an application if the consent could not be recorded", async () => {
    const exchange = fakeExchange({
      [me]: unverified,
      "POST /api/users/me/consents": () => refusal(429, "too_many", "Try again later."),
    });
    const [terms] = listCurrentVersions();
    const form = { ...application, terms: terms?.version ?? "" };
    expect(await action(args("/kyc", { cookie: await sessionCookie(), form }))).toMatchObject({
      error: "Try again later.",
      values: { first_name: "Ada" },
    });
    expect(exchange.count("POST /api/kyc")).toBe(0);
  });

  it.each([
    ["first_name", ""],
    ["date_of_birth", "30.4.1990"],
    ["date_of_birth", "1990-02-31"],
    ["date_of_birth", "2020-01-01"],
    ["country", "Wakanda"],
    ["document_type", "library card"],
    ["document_number", "<script>"],
  ])("reports an invalid %s (%j) at that field and keeps the typed values", async (field, value) => {
    const exchange = fakeExchange({ [me]: unverified });
    const form = { ...application, [field]: value };
    const { intent: _, ...values } = form;
    expect(await action(args("/kyc", { cookie: await sessionCookie(), form }))).toEqual({
      kind: "refused",
      values,
      fields: { [field]: expect.any(String) },
    });
    expect(exchange.count("POST /api/kyc")).toBe(0);
  });

  describe("on 2 August 2026", () => {
    afterEach(() => void vi.useRealTimers());

    const tooYoung = "You must be 18 or older.";
    const noDate = "Enter your date of birth.";
    it.each([
      ["2008-08-02", null],
      ["2008-08-03", tooYoung],
      ["2008-07-31", null],
      ["2008-09-01", tooYoung],
      ["2007-12-31", null],
      ["2026-08-02", tooYoung],
      ["2026-08-03", "Enter a date in the past."],
      ["1906-08-02", null],
      ["1906-08-01", "Check the year of birth."],
      ["", noDate],
      ["30.4.1990", noDate],
      ["1990-02-31", noDate],
      ["1990-13-01", noDate],
    ])("checks the date of birth %s: %j", async (date, message) => {
      vi.useFakeTimers({ now: new Date("2026-08-02T12:00:00Z"), toFake: ["Date"] });
      const exchange = fakeExchange({
        [me]: unverified,
        "POST /api/kyc": () => Response.json({ status: "pending", reasons: [], updated_at: null }, { status: 202 }),
      });
      const form = { ...application, date_of_birth: date };
      const result = await action(args("/kyc", { cookie: await sessionCookie(), form }));
      expect(result instanceof Response ? null : result.fields).toEqual(message && { date_of_birth: message });
      expect(exchange.count("POST /api/kyc")).toBe(message === null ? 1 : 0);
    });
  });

  it("fills the form in again with what was typed, without spaces around it", async () => {
    fakeExchange({ [me]: unverified });
    const form = { intent: "apply", first_name: " Ada ", country: "Wakanda" };
    expect(await action(args("/kyc", { cookie: await sessionCookie(), form }))).toMatchObject({
      values: { first_name: "Ada", last_name: "", country: "Wakanda", document_number: "" },
    });
  });

  it("throws if the exchange cannot be reached, instead of saying that it refused", async () => {
    fakeExchange({ [me]: unverified, "POST /api/kyc": () => Promise.reject(new TypeError("fetch failed")) });
    const request = args("/kyc", { cookie: await sessionCookie(), form: application });
    await expect(action(request)).rejects.toEqual(exchangeUnreachable);
  });

  it("reports every missing field, and refuses an unknown intent with a 400 that says why", async () => {
    fakeExchange({ [me]: unverified });
    const cookie = await sessionCookie();
    const { intent: _, ...fields } = application;
    expect(await action(args("/kyc", { cookie, form: { intent: "apply" } }))).toMatchObject({
      fields: Object.fromEntries(Object.keys(fields).map((name) => [name, expect.any(String)])),
    });
    const response = await responseOf(action(args("/kyc", { cookie, form: { intent: "approve" } })));
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/Reload the page/);
  });

  it("shows the exchange's errors at their fields", async () => {
    fakeExchange({
      [me]: unverified,
      "POST /api/kyc": () =>
        Response.json(
          { detail: { message: "Not valid.", code: "invalid", fields: { document_number: "Unknown." } } },
          { status: 422 },
        ),
    });
    expect(await action(args("/kyc", { cookie: await sessionCookie(), form: application }))).toMatchObject({
      error: "Not valid.",
      fields: { document_number: "Unknown." },
      values: { first_name: "Ada" },
    });
  });

  it("throws the exchange's error message", async () => {
    fakeExchange({
      [me]: () => Response.json(makeUser({ kyc_status: "pending" })),
      "GET /api/kyc": () => refusal(409, "x", "Not now."),
    });
    const request = args("/kyc", { cookie: await sessionCookie() });
    await expect(loader(request)).rejects.toMatchObject({ data: { message: "Not now." }, init: { status: 409 } });
    expect((await getScope(request)).isSignedIn).toBe(true);
  });
});
