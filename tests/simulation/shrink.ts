/**
 * The shortest list that still fails: takes items out, first many at a time and then one by one, until every single one
 * is needed. The given `items` must fail.
 */
export async function shrink<T>(items: readonly T[], fails: (items: T[]) => Promise<boolean>): Promise<T[]> {
  let shortest = [...items];
  for (let size = Math.ceil(items.length / 2); size >= 1; ) {
    const { length } = shortest;
    for (let start = 0; start < shortest.length; ) {
      const shorter = [...shortest.slice(0, start), ...shortest.slice(start + size)];
      if (await fails(shorter)) shortest = shorter;
      else start += size;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (shortest.length === length) break;
  }
  return shortest;
}
