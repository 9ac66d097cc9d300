import { it } from "vitest";
import { playHundred } from "./fixed-seeds";

it("T53 random histories with the seeds 1 to 100 lose nothing and pay nothing twice", async () => {
  await playHundred(1);
}, 600_000);
