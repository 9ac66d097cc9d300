import type { z } from "zod";
import type { FieldErrors } from "../lib/form-result";
import { maxBodyBytes } from "../lib/http/limit-bodies";

/** What the visitor submitted, as text by field name. */
export type SubmittedForm = Record<string, string>;

/** A form with something wrong in it: `values` is what was submitted. */
export type RefusedForm = { ok: false; values: SubmittedForm; fields: FieldErrors };

type ParsedForm<Values> = { ok: true; values: Values } | RefusedForm;

/**
 * Reads a posted form and checks it against a schema. If a route accepts several intents, the schema is a union
 * discriminated by `intent`:
 *
 *     const schema = z.discriminatedUnion("intent", [
 *       z.object({ intent: z.literal("rename"), name: z.string().trim().min(1, "Enter a name.") }),
 *       z.object({ intent: z.literal("remove"), id: z.string() }),
 *     ]);
 *     const form = await parseForm(schema, request);
 *     if (!form.ok) return { kind: "refused", values: form.values, fields: form.fields };
 *
 * The messages in the schema are shown to the visitor, so add one to each check that a visitor can fail. If there are
 * no such checks, use `requireForm`.
 *
 * @throws a 400 response if the intent is unknown, a field is repeated or holds a file, and a 413
 * response if the form is larger than 64 KiB or has more than 100 fields (T13, T14)
 */
export async function parseForm<Schema extends z.ZodTypeAny>(
  schema: Schema,
  request: Request,
): Promise<ParsedForm<z.output<Schema>>> {
  const values = await readForm(request);
  const parsed = schema.safeParse(values);
  if (parsed.success) return { ok: true, values: parsed.data };
  const fields: FieldErrors = {};
  for (const { path, message } of parsed.error.issues) {
    const field = String(path[0] ?? "");
    if (field === "intent") throw badRequest();
    fields[field] ??= message;
  }
  return { ok: false, values, fields };
}

/** Like `parseForm`, for forms in which visitors cannot make mistakes: anything invalid gets a 400 response. */
export async function requireForm<Schema extends z.ZodTypeAny>(
  schema: Schema,
  request: Request,
): Promise<z.output<Schema>> {
  const form = await parseForm(schema, request);
  if (!form.ok) throw badRequest();
  return form.values;
}

/** Several times more than any form of this site needs. */
const maxFields = 100;

/** The fields as an object without a prototype, so that field names cannot reach one. */
async function readForm(request: Request): Promise<SubmittedForm> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) throw tooLarge();
  const type = request.headers.get("content-type") ?? "";
  // If the header names several types, the form would be parsed as the last one, but its fields counted as the first.
  if (type.includes(",")) throw badRequest();
  const body = await request.arrayBuffer().catch(refuseUnreadable);
  if (hasTooManyFields(body, type)) throw tooLarge();
  const form = await new Response(body, { headers: { "Content-Type": type } }).formData().catch(refuseUnreadable);
  const fields: SubmittedForm = Object.create(null);
  for (const [name, value] of form) {
    if (typeof value !== "string" || name in fields) throw badRequest();
    fields[name] = value;
  }
  return fields;
}

/**
 * Counts what separates fields before they are parsed: 64 KiB can hold 30,000 of them, and parsing, checking and
 * returning so many takes tens of milliseconds (T14).
 */
function hasTooManyFields(body: ArrayBuffer, type: string): boolean {
  const separator = /^multipart\//i.test(type) ? "\r\n--" : "&";
  const text = Buffer.from(body).toString("latin1");
  return text.split(separator, maxFields + 1).length > maxFields;
}

function tooLarge(): Response {
  return refuse(413, "This form is too large.");
}

function refuseUnreadable(): never {
  throw badRequest();
}

function badRequest(): Response {
  return refuse(400, "We couldn't read this form. Reload the page and try again.");
}

function refuse(status: number, text: string): Response {
  return new Response(text, {
    status,
    headers: { "Cache-Control": "no-store", "Content-Type": "text/plain; charset=utf-8" },
  });
}
