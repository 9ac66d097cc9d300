/** Checks responses against the OpenAPI document, with the part of JSON Schema that it uses. */
type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
};
type Parameter = { in: string; name: string };
type Operation = {
  operationId?: string;
  security?: object[];
  parameters?: Parameter[];
  responses: Record<string, { content?: Record<string, { schema: Schema }>; headers?: object }>;
};
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema>; securitySchemes?: Record<string, Parameter> };
};
type ApiResponse = { status: number; headers: Headers; body: unknown };

const known = new Set([
  ...["$ref", "type", "enum", "const", "properties", "required", "additionalProperties", "items", "anyOf", "oneOf"],
  ...[
    "allOf",
    "pattern",
    "format",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "description",
    "default",
  ],
]);

/**
 * The differences from the document: an undocumented status or content type, and each wrong or undocumented field.
 * Empty for calls that are not in the document, which must get a 404 or 405.
 */
export function findUndocumented(document: OpenApi, method: string, path: string, response: ApiResponse): string[] {
  const call = `${method} ${path} ${response.status}`;
  const operation = findOperation(document, method, path);
  if (!operation)
    return path.startsWith("/api/openapi.json") || response.status >= 400 ? [] : [`${call}: no operation`];
  const documented = operation.responses[response.status];
  if (!documented) return [`${call}: undocumented status`];
  if (method === "HEAD") return [];
  const type = response.headers.get("Content-Type")?.split(";", 1)[0];
  if (!documented.content) return response.body === "" ? [] : [`${call}: undocumented body`];
  const content = type === undefined ? undefined : documented.content[type];
  if (!content) return [`${call}: undocumented content type ${type}`];
  if (type !== "application/json") return [];
  return check(document, content.schema, response.body, "$").map((error) => `${call}: ${error}`);
}

function findOperation(document: OpenApi, method: string, path: string): Operation | undefined {
  const parts = (path.split("?", 1)[0] ?? "").split("/");
  const matches = Object.keys(document.paths).filter((template) => {
    const names = template.split("/");
    return names.length === parts.length && names.every((name, i) => name.startsWith("{") || name === parts[i]);
  });
  // `/quotes/active` goes before `/quotes/{id}`.
  const [template] = matches.sort((a, b) => a.split("{").length - b.split("{").length);
  const name = method === "HEAD" ? "get" : method.toLowerCase();
  return template === undefined ? undefined : document.paths[template]?.[name];
}

function check(document: OpenApi, schema: Schema, value: unknown, at: string): string[] {
  const unknown = Object.keys(schema).filter((key) => !known.has(key));
  if (unknown.length > 0) throw new Error(`This check does not support ${unknown} at ${at}`);
  const inner = (part: Schema, of: unknown, where: string) => check(document, part, of, where);
  if (schema.$ref) {
    const target = document.components?.schemas?.[schema.$ref.split("/").at(-1) ?? ""];
    return target ? inner(target, value, at) : [`${at}: ${schema.$ref} does not exist`];
  }
  const errors: string[] = [];
  const wrong = (what: string) => void errors.push(`${at}: ${what}, got ${JSON.stringify(value)?.slice(0, 80)}`);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOf(type, value))) wrong(`must be ${types.join(" or ")}`);
  if (schema.enum && !(value === null && types.includes("null")) && !schema.enum.includes(value))
    wrong(`must be one of ${schema.enum}`);
  if (schema.const !== undefined && value !== schema.const) wrong(`must be ${schema.const}`);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && !choices.some((choice) => inner(choice, value, at).length === 0)) {
    errors.push(...choices.flatMap((choice) => inner(choice, value, at)));
  }
  for (const part of schema.allOf ?? []) errors.push(...inner(part, value, at));
  if (typeof value === "string") {
    if (schema.pattern && !new RegExp(schema.pattern).test(value)) wrong(`must match ${schema.pattern}`);
    if (schema.format === "date-time" && Number.isNaN(Date.parse(value))) wrong("must be a time");
    if (value.length < (schema.minLength ?? 0) || value.length > (schema.maxLength ?? Infinity))
      wrong("has a wrong length");
  }
  if (typeof value === "number" && value <= (schema.exclusiveMinimum ?? -Infinity)) wrong("is out of range");
  if (typeof value === "number" && (value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity))) {
    wrong("is out of range");
  }
  if (Array.isArray(value) && schema.items) {
    for (const [i, item] of value.entries()) errors.push(...inner(schema.items, item, `${at}[${i}]`));
  }
  if (isObject(value) && !schema.allOf) errors.push(...checkMembers(schema, value, at, inner));
  return errors;
}

function checkMembers(
  { properties, required = [], additionalProperties }: Schema,
  value: Record<string, unknown>,
  at: string,
  inner: (schema: Schema, value: unknown, at: string) => string[],
): string[] {
  const errors = required.filter((name) => !(name in value)).map((name) => `${at}.${name}: is missing`);
  for (const [name, member] of Object.entries(value)) {
    const schema = properties?.[name];
    if (schema) errors.push(...inner(schema, member, `${at}.${name}`));
    else if (typeof additionalProperties === "object")
      errors.push(...inner(additionalProperties, member, `${at}.${name}`));
    else if (properties && additionalProperties !== true) errors.push(`${at}.${name}: is not documented`);
  }
  return errors;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOf(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}
