import { it } from "vitest";
import { playHundred } from "./fixed-seeds";

it("T53 random histories with the seeds 101 to 200 never lose money or pay twice", async () => {
  await playHundred(101);
}, 600_000);
