/** How far the clock of a feed may be ahead of ours. A rate further in the future is refused. */
export const maxClockSkewMs = 60_000;
