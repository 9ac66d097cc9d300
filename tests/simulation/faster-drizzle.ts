import { type Edit, plant } from "./plant";

/**
 * A quarter of the CPU time of a history went into drizzle, which builds every statement again. These changes
 * of its files remember what is always the same. They are in the worker's bundle only; a test
 * compares what a history writes with and without them.
 */
const edits: readonly Edit[] = [
  {
    // `is` compares classes by name, so that several copies of drizzle work together. There is one copy here.
    file: "entity.js",
    find: "function is(value, type) {",
    replace: "function is(value, type) { return value instanceof type; }\nfunction isByName(value, type) {",
  },
  {
    file: "casing.js",
    find: "    if (!column.keyAsName) return column.name;",
    replace: `    const known = this.byColumn.get(column);
    if (known !== void 0) return known;
    const name = this.convertName(column);
    this.byColumn.set(column, name);
    return name;
  }
  byColumn = new WeakMap();
  convertName(column) {
    if (!column.keyAsName) return column.name;`,
  },
  {
    // Lists of columns and whole tables are the same list each time they are requested.
    file: "utils.js",
    find: "function orderSelectedFields(fields, pathPrefix) {",
    replace: `const listsOfTables = new WeakMap();
const listsByFields = new Map();
const listsOfColumns = new WeakSet();
const numbers = new WeakMap();
let lastNumber = 0;
function isListOfColumns(list) { return listsOfColumns.has(list); }
function describeFields(fields) {
  let key = "";
  for (const name in fields) {
    const field = fields[name];
    let number = numbers.get(field);
    if (number === void 0) {
      const table = is(field, Column) ? field.table : field;
      if (!is(table, Table) || table[Table.Symbol.IsAlias]) return null;
      number = ++lastNumber;
      numbers.set(field, number);
    }
    key += name + number + ",";
  }
  return key;
}
function orderSelectedFields(fields, pathPrefix) {
  if (pathPrefix) return orderFields(fields, pathPrefix);
  const ofTable = listsOfTables.get(fields);
  if (ofTable) return ofTable;
  const key = describeFields(fields);
  const known = key === null ? void 0 : listsByFields.get(key);
  if (known) return known;
  const list = orderFields(fields, pathPrefix);
  if (key === null || list.length === 0 || !list.every(({ field }) => is(field, Column))) return list;
  listsOfColumns.add(list);
  listsByFields.set(key, list);
  if (list.every(({ field }) => field.table[Table.Symbol.Columns] === fields)) listsOfTables.set(fields, list);
  return list;
}
function orderFields(fields, pathPrefix) {`,
  },
  { file: "utils.js", find: "  orderSelectedFields,\n", replace: "  orderSelectedFields,\n  isListOfColumns,\n" },
  {
    file: "utils.js",
    find: "  const nullifyMap = {};\n",
    replace: `  if (listsOfColumns.has(columns) && columns.every(({ path }) => path.length === 1)) {
    const result = {};
    for (let i = 0; i < columns.length; i += 1) {
      const { path, field } = columns[i];
      result[path[0]] = row[i] === null ? null : field.mapFromDriverValue(row[i]);
    }
    return result;
  }
  const nullifyMap = {};
`,
  },
  {
    file: "pg-core/dialect.js",
    find: 'import { orderSelectedFields } from "../utils.js";',
    replace: 'import { isListOfColumns, orderSelectedFields } from "../utils.js";',
  },
  {
    file: "pg-core/dialect.js",
    find: "  buildSelection(fields, { isSingleTable = false } = {}) {",
    replace: `  selections = [new WeakMap(), new WeakMap()];
  buildSelection(fields, { isSingleTable = false } = {}) {
    if (!isListOfColumns(fields)) return this.buildAnySelection(fields, { isSingleTable });
    const known = this.selections[isSingleTable ? 1 : 0].get(fields);
    if (known) return known;
    const text = sql.raw(this.sqlToQuery(this.buildAnySelection(fields, { isSingleTable })).sql);
    this.selections[isSingleTable ? 1 : 0].set(fields, text);
    return text;
  }
  buildAnySelection(fields, { isSingleTable = false } = {}) {`,
  },
  {
    file: "sql/sql.js",
    find: "    const config = Object.assign({}, _config, {",
    replace:
      "    const config = _config.paramStartIndex && !this.shouldInlineParams ? _config : Object.assign({}, _config, {",
  },
  {
    file: "sql/sql.js",
    find: "        return this.buildQueryFromSourceParams(chunk.queryChunks, {",
    replace: `        if (!chunk.shouldInlineParams) return this.buildQueryFromSourceParams(chunk.queryChunks, config);
        return this.buildQueryFromSourceParams(chunk.queryChunks, {`,
  },
];

/** The simulation's connection has parsers of its own, and drizzle makes eighteen functions for each query. */
const parsers = /parsers: \{[^}]*\}/g;

/** The changed code of one of drizzle's modules. Null if nothing is changed in it. */
export function editDrizzle(code: string, path: string): string | null {
  const file = /\/drizzle-orm\/(.*)$/.exec(path)?.[1];
  if (file === "pglite/session.js") return code.replaceAll(parsers, "parsers: {}");
  const own = edits.filter((edit) => edit.file === file);
  return own.length > 0 ? own.reduce(plant, code) : null;
}
