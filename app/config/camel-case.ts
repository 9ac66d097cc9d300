/** `FEE_BPS` → `feeBps` */
type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

type WithoutPrefix<Name extends string, Prefix extends string> = Name extends `${Prefix}${infer Rest}` ? Rest : Name;

type CamelCased<Values, Names, Prefix extends string> = {
  [Name in keyof Values & keyof Names & string as CamelCase<WithoutPrefix<Name, Prefix>>]: Values[Name];
};

/**
 * Picks the values named in `names` and converts their names to camel case:
 * `FEE_BPS` becomes `feeBps`; with the prefix `SANDBOX_`, `SANDBOX_RATE` becomes `rate`.
 */
export function pickCamelCased<Values extends object, Names extends object, const Prefix extends string = "">(
  values: Values,
  names: Names,
  prefix?: Prefix,
): CamelCased<Values, Names, Prefix> {
  const picked = Object.entries(values)
    .filter(([name]) => name in names)
    .map(([name, value]) => [toCamelCase(prefix && name.startsWith(prefix) ? name.slice(prefix.length) : name), value]);
  return Object.fromEntries(picked);
}

function toCamelCase(name: string): string {
  return name.toLowerCase().replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
}
