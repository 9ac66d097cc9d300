/** A seeded source of numbers (sfc32): the same seed gives the same sequence on every machine. */
export type Random = {
  /** An integer from 0 to `below - 1`. */
  int(below: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** One of the keys, as often as its weight says. */
  weighted<K extends string>(weights: Record<K, number>): K;
  bytes(size: number): Buffer;
};

export function createRandom(seed: number): Random {
  let [a, b, c, counter] = [seed >>> 0, (seed / 2 ** 32) >>> 0, 0x9e3779b9, 1];
  const next = (): number => {
    const sum = (a + b + counter) >>> 0;
    counter = (counter + 1) >>> 0;
    a = (b ^ (b >>> 9)) >>> 0;
    b = (c + (c << 3)) >>> 0;
    c = (((c << 21) | (c >>> 11)) + sum) >>> 0;
    return sum;
  };
  for (let i = 0; i < 12; i += 1) next();
  const random: Random = {
    int: (below) => Math.floor((next() / 2 ** 32) * below),
    chance: (probability) => next() / 2 ** 32 < probability,
    pick: (items) => items[random.int(items.length)] as (typeof items)[number],
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let left = (next() / 2 ** 32) * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, weight] of entries) {
        left -= weight;
        if (left < 0) return key;
      }
      return (entries.at(-1) as (typeof entries)[number])[0];
    },
    bytes: (size) => Buffer.from(Array.from({ length: size }, () => next() & 0xff)),
  };
  return random;
}
