/** The highest number that at least `quorum` of these reach, so a minority cannot raise it; null if there are fewer. */
export function reachedBy<T extends number | bigint>(quorum: number, numbers: T[]): T | null {
  return chooseReachedBy(quorum, numbers, (number) => number) ?? null;
}

/** Like `reachedBy`, for responses with a number: the response with that number; undefined if there are fewer. */
export function chooseReachedBy<T, N extends number | bigint>(
  quorum: number,
  responses: T[],
  toNumber: (response: T) => N,
): T | undefined {
  return responses.toSorted((a, b) => Number(toNumber(b) - toNumber(a)))[quorum - 1];
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
