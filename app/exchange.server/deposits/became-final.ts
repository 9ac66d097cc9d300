/** Whether a block was final in `finalNow` and not yet in `finalBefore`: the final heights of its chain. */
export const becameFinal = (
  { blockNumber }: { blockNumber: number },
  finalBefore: number | null,
  finalNow: number | null,
): boolean => blockNumber > (finalBefore ?? -1) && blockNumber <= (finalNow ?? -1);
