import { expect, it } from "vitest";
import { shrink } from "../../simulation/shrink";

const countTo = (count: number) => Array.from({ length: count }, (_, i) => i);

it("a failing history is shortened to the steps that it needs, in their order", async () => {
  const needed = [3, 4, 17, 29];
  const shortest = await shrink(countTo(30), async (steps) => needed.every((step) => steps.includes(step)));
  expect(shortest).toEqual(needed);
});

it("a step is removed even if it becomes unnecessary only once a later step is removed", async () => {
  // 2 is needed for as long as 5 is there, and 5 is not needed at all.
  const fails = async (steps: number[]) => steps.includes(7) && (!steps.includes(5) || steps.includes(2));
  expect(await shrink(countTo(8), fails)).toEqual([7]);
});
