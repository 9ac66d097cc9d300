import { expect, it } from "vitest";
import { loader } from "~/routes/styleguide/route";
import { color } from "~/styles/theme.css";
import { args } from "../../support/site";

const open = async () => loader(args("/styleguide"));

it("/styleguide lists every colour, but neither the shadow nor the stars", async () => {
  const { roles } = await open();
  const { shadow, star, ...shown } = color;
  expect(Object.fromEntries(roles)).toEqual(shown);
});
