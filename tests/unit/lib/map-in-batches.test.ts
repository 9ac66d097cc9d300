import { expect, it } from "vitest";
import { mapInBatches } from "~/lib/map-in-batches";

it("maps the given number of items at a time, and returns the results in order", async () => {
  let running = 0;
  let most = 0;
  const results = await mapInBatches([5, 1, 4, 2, 3], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, item));
    running -= 1;
    return item * 10;
  });
  expect([results, most]).toEqual([[50, 10, 40, 20, 30], 2]);
});
