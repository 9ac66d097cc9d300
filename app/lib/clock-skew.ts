/** How far the clock of a feed or a provider may be ahead of ours. What is further in the future is refused. */
export const maxClockSkewMs = 60_000;
