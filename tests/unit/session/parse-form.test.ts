import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { parseForm, requireForm } from "~/session/parse-form.server";
import { origin } from "../../support/site";

const schema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("rename"),
    name: z
      .string({ required_error: "Enter a name." })
      .trim()
      .min(1, "Enter a name.")
      .max(5, "Use 5 letters or fewer."),
  }),
  z.object({ intent: z.literal("remove"), id: z.string() }),
]);

const post = (form: FormData | URLSearchParams | Record<string, string>, headers?: HeadersInit) =>
  new Request(origin, {
    method: "POST",
    headers,
    body: form instanceof FormData ? form : new URLSearchParams(form),
  });

describe("parseForm", () => {
  it("returns the values of the intent, without fields that the schema does not name", async () => {
    expect(await parseForm(schema, post({ intent: "rename", name: " Ada ", is_admin: "true" }))).toEqual({
      ok: true,
      values: { intent: "rename", name: "Ada" },
    });
  });

  it.each([
    [{ name: "  " }, "Enter a name."],
    [{}, "Enter a name."],
    [{ name: "Adalbert" }, "Use 5 letters or fewer."],
  ])("returns %j as submitted with one message per field", async (fields, message) => {
    expect(await parseForm(schema, post({ intent: "rename", ...fields }))).toEqual({
      ok: false,
      values: { intent: "rename", ...fields },
      fields: { name: message },
    });
  });

  it.each<Record<string, string>>([{ intent: "delete-everything" }, {}])(
    "refuses the intent of %j with 400 and a sentence",
    async (fields) => {
      const refused = await parseForm(schema, post(fields)).catch((error: unknown) => error);
      expect((refused as Response).status).toBe(400);
      expect(await (refused as Response).text()).toMatch(/Reload the page and try again/);
    },
  );

  it("T13 T14 refuses repeated fields, files, and forms that are too large", async () => {
    const repeated = new URLSearchParams([
      ["intent", "remove"],
      ["id", "1"],
      ["id", "2"],
    ]);
    await expect(parseForm(schema, post(repeated))).rejects.toMatchObject({ status: 400 });
    const upload = new FormData();
    upload.set("intent", "remove");
    upload.set("id", new File(["x"], "x.txt"));
    await expect(parseForm(schema, post(upload))).rejects.toMatchObject({ status: 400 });
    const notAForm = new Request(origin, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    });
    await expect(parseForm(schema, notAForm)).rejects.toMatchObject({ status: 400 });
    const large = post({ intent: "remove", id: "1" }, { "content-length": "65537" });
    await expect(parseForm(schema, large)).rejects.toMatchObject({ status: 413 });
  });

  it("T14 refuses a form with more than 100 fields before it is parsed", async () => {
    const parsing = vi.spyOn(Response.prototype, "formData");
    const listFields = (count: number) =>
      Array.from({ length: count }, (_, i): [string, string] => (i === 0 ? ["intent", "remove"] : [`f${i}`, "&--"]));
    const toMultipart = (fields: [string, string][]) => {
      const form = new FormData();
      for (const [name, value] of fields) form.append(name, value);
      return form;
    };
    for (const toBody of [(fields: [string, string][]) => new URLSearchParams(fields), toMultipart]) {
      parsing.mockClear();
      const form = await parseForm(schema, post(toBody(listFields(99))));
      expect([form.ok, parsing.mock.calls.length]).toEqual([false, 1]);
      parsing.mockClear();
      await expect(parseForm(schema, post(toBody(listFields(101))))).rejects.toMatchObject({ status: 413 });
      expect(parsing).not.toHaveBeenCalled();
    }
    const types = { "content-type": "multipart/form-data; boundary=x, application/x-www-form-urlencoded" };
    const ambiguous = post(new URLSearchParams(listFields(101)), types);
    await expect(parseForm(schema, ambiguous)).rejects.toMatchObject({ status: 400 });
    expect(parsing).not.toHaveBeenCalled();
    parsing.mockRestore();
  });

  it("T13 returns fields without a prototype", async () => {
    const form = await parseForm(schema, post(new URLSearchParams("intent=rename&__proto__=x&constructor=y")));
    expect(form.ok === false && Object.getPrototypeOf(form.values)).toBeNull();
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe("requireForm", () => {
  it("returns the values, and refuses an invalid form with 400", async () => {
    expect(await requireForm(schema, post({ intent: "remove", id: "1" }))).toEqual({ intent: "remove", id: "1" });
    await expect(requireForm(schema, post({ intent: "remove" }))).rejects.toMatchObject({ status: 400 });
  });

  it("T13 accepts forms of 64 KiB, and says why it refuses a larger one", async () => {
    const sized = (bytes: number) => post({ intent: "remove", id: "1" }, { "content-length": String(bytes) });
    expect(await requireForm(schema, sized(65_536))).toEqual({ intent: "remove", id: "1" });
    const refused = (await requireForm(schema, sized(65_537)).catch((error: unknown) => error)) as Response;
    expect([refused.status, refused.headers.get("cache-control"), refused.headers.get("content-type")]).toEqual([
      413,
      "no-store",
      "text/plain; charset=utf-8",
    ]);
    expect(await refused.text()).toBe("This form is too large.");
  });
});
