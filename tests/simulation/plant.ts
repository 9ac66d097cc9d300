/** One change of a source file: `find`, which is there exactly once, becomes `replace`. */
export type Edit = { file: string; find: string; replace: string };

/** Makes one change. @throws Error if the text to replace is not there exactly once */
export function plant(code: string, { file, find, replace }: Edit): string {
  const parts = code.split(find);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${find}`);
  return parts.join(replace);
}
