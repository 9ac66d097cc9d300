import { OpenAPIHono } from "@hono/zod-openapi";
import { errorSchema } from "../../api/contract";
import { ExchangeError } from "../errors";
import type { Env } from "./env";

/**
 * The Hono app each resource file starts from. Write paths in full (`/api/users/me`), so that they
 * can be found by search. Input that does not match a route's schema is refused with 422 `invalid`
 * and a message for each field.
 */
export function createRouter(): OpenAPIHono<Env> {
  return new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (!result.success) throw new ExchangeError("invalid", { fields: toFields(result.error.issues) });
    },
  });
}

type Issue = {
  code: string;
  path: (string | number)[];
  message: string;
  unionErrors?: { issues: Issue[] }[];
  received?: unknown;
  expected?: unknown;
  /** The issues of all alternatives, if this is an issue of a union. */
  among?: Issue[];
};

/** More than the members of any request. */
const maxFields = 20;

/**
 * The messages of the first issues, by dotted path. For a union, the messages of the alternative with the fewest
 * issues.
 */
export function toFields(issues: Issue[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const issue of issues.flatMap(chooseAlternative).slice(0, maxFields)) {
    fields[toPath(issue)] ??= toMessage(issue).slice(0, 200);
  }
  return { ...fields };
}

function chooseAlternative(issue: Issue): Issue[] {
  const alternatives = issue.unionErrors?.map((e) => e.issues).sort((a, b) => a.length - b.length);
  if (!alternatives?.[0]) return [issue];
  const among = alternatives.flat();
  return alternatives[0].flatMap((part) => chooseAlternative({ ...part, among }));
}

const toPath = ({ path }: Issue) => path.join(".").slice(0, 100) || "body";

function toMessage(issue: Issue): string {
  if (issue.received === "undefined") return "is missing";
  if (issue.code !== "invalid_literal") return issue.message;
  const literals = (issue.among ?? [issue]).filter(
    (other) => other.code === "invalid_literal" && toPath(other) === toPath(issue),
  );
  return `expected ${[...new Set(literals.map(({ expected }) => JSON.stringify(expected)))].join(" or ")}`;
}

/** The `security` of a call with an optional token. Calls that can respond with 401 require one. */
export const optionalToken: Record<string, string[]>[] = [{ token: [] }, {}];

/** The `content` of a JSON body, for `createRoute`. */
export function json<T>(schema: T) {
  return { "application/json": { schema } };
}

/** Any call may be unreadable, too large or compressed, exceed a rate limit, fail, or arrive too early. */
const commonStatuses = [400, 413, 415, 429, 500, 503] as const;
type CommonStatus = (typeof commonStatuses)[number];

/**
 * The error responses of a route, for `createRoute`: these and those that every call may have. Name
 * 422 if the route has parameters or a body.
 */
export function refusals<const S extends number = never>(...statuses: S[]) {
  const all = [...new Set<number>([...commonStatuses, ...statuses])].sort();
  const responses = all.map((status) => [
    status,
    { description: errorDescriptions[status] ?? "Error", content: json(errorSchema) },
  ]);
  return Object.fromEntries(responses) as Record<
    S | CommonStatus,
    { description: string; content: { "application/json": { schema: typeof errorSchema } } }
  >;
}

const errorDescriptions: Record<number, string> = {
  400: "The request could not be read",
  401: "The token, code or challenge is missing, wrong or expired",
  403: "Not allowed: the account is inactive or not verified, or a passkey is required",
  404: "Not found, or not yours",
  409: "Not possible in the current state",
  413: "The body is larger than 64 KiB",
  415: "The body is compressed, or not in UTF-8",
  422: "Some values are not valid",
  429: "Too many requests; see Retry-After",
  500: "Something failed on our side; `request_id` names the line in our log",
  503: "Temporarily unavailable; see Retry-After",
};
