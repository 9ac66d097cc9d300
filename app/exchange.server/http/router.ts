import { OpenAPIHono } from "@hono/zod-openapi";
import { errorSchema } from "../../api/contract";
import { ExchangeError } from "../errors";
import type { Env } from "./env";

/**
 * The Hono app that every resource file starts from. Paths are written whole
 * (`/api/users/me`), so that a search for one finds it. Input that does not fit a
 * route's schema becomes 422 with a word for each field.
 */
export function createRouter(): OpenAPIHono<Env> {
  return new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (!result.success) throw new ExchangeError("invalid", { fields: toFields(result.error.issues) });
    },
  });
}

type Issue = { path: (string | number)[]; message: string; unionErrors?: { issues: Issue[] }[] };

/** Dotted path → what is wrong there; of a union, the alternative that came closest. */
function toFields(issues: Issue[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const issue of issues) {
    const alternatives = issue.unionErrors?.map((e) => e.issues).sort((a, b) => a.length - b.length);
    if (alternatives?.[0]) {
      Object.assign(fields, toFields(alternatives[0]));
      continue;
    }
    const path = issue.path.join(".").slice(0, 100) || "body";
    fields[path] ??= issue.message.slice(0, 200);
  }
  return { ...fields };
}

/** The `content` of a JSON body, for `createRoute`. */
export function json<T>(schema: T) {
  return { "application/json": { schema } };
}

/** Documents the refusals of a route in the OpenAPI document. */
export function refusals<const S extends number>(...statuses: S[]) {
  const responses = statuses.map((status) => [
    status,
    { description: refusalWords[status] ?? "Refused", content: json(errorSchema) },
  ]);
  return Object.fromEntries(responses) as Record<
    S,
    { description: string; content: { "application/json": { schema: typeof errorSchema } } }
  >;
}

const refusalWords: Record<number, string> = {
  400: "The request could not be read",
  401: "No or a dead token, code or challenge",
  403: "Not allowed: inactive, identity not verified, or a passkey is needed",
  404: "Not there, or not yours",
  409: "The state does not allow it",
  422: "Some of what was sent is not valid",
  429: "Too many requests; see Retry-After",
  503: "Not at the moment; see Retry-After",
};
