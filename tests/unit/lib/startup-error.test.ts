import { expect, it } from "vitest";
import { StartupError } from "~/lib/startup-error";

it("a reason why the site cannot start has a name, a sentence and its cause", () => {
  const cause = new Error("EADDRINUSE");
  expect(new StartupError("PORT is taken.", { cause })).toMatchObject({
    name: "StartupError",
    message: "PORT is taken.",
    cause,
  });
});
