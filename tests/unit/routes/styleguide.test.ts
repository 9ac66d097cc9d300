import { afterEach, expect, it, vi } from "vitest";
import { loader } from "~/routes/styleguide/route";
import { color } from "~/styles/theme.css";
import { args, responseOf } from "../../support/site";

const open = async () => loader(args("/styleguide"));

afterEach(() => void vi.unstubAllEnvs());

it("/styleguide lists every colour, but neither the shadow nor the stars", async () => {
  const { roles } = await open();
  const { shadow, star, ...shown } = color;
  expect(Object.fromEntries(roles)).toEqual(shown);
});

it("R20 /styleguide is not found in production", async () => {
  vi.stubEnv("PROD", true);
  const response = await responseOf(open());
  expect([response.status, await response.text()]).toEqual([404, "Not Found"]);
});
