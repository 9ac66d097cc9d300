import { it } from "vitest";
import { playHundred } from "./fixed-seeds";

it("T53 random histories with the seeds 1 to 100 never lose money or pay twice", async () => {
  await playHundred(1);
}, 600_000);
