/** The highest number that at least `quorum` of these reach, so a minority cannot raise it; null if there are fewer. */
export function reachedBy<T extends number | bigint>(quorum: number, numbers: T[]): T | null {
  return numbers.toSorted((a, b) => Number(b - a))[quorum - 1] ?? null;
}

/**
 * The responses of several nodes, grouped by what they say, the largest group first. Among equally large groups, the
 * group that responded first comes first. A node that failed does not vote.
 */
export function groupByVote<T>(responses: { result: T | Error }[], toVote: (result: T) => string): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const { result } of responses) {
    if (result instanceof Error) continue;
    const vote = toVote(result);
    const group = groups.get(vote);
    if (group) group.push(result);
    else groups.set(vote, [result]);
  }
  return [...groups.values()].toSorted((a, b) => b.length - a.length);
}
