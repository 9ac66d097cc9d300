// @vitest-environment jsdom
import { redirect } from "@remix-run/node";
import { Form, Link, useLoaderData, useRevalidator } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, it } from "vitest";
import { useActionResult } from "~/loaded-data/use-action-result";

afterEach(cleanup);

let loads = 0;

/** Tells the results of its calls apart, so that a test can wait for the page with one. */
function load(): number {
  loads += 1;
  return loads;
}

function Page() {
  const { revalidate } = useRevalidator();
  return (
    <>
      <h1>load {useLoaderData<typeof load>()}</h1>
      <p>{useActionResult<() => string>() ?? "nothing"}</p>
      <button type="button" onClick={revalidate}>
        load again
      </button>
      <Form method="post">
        <button type="submit" name="intent" value="save">
          save
        </button>
        <button type="submit" name="intent" value="leave">
          leave
        </button>
        <button type="submit" name="intent" value="lose">
          lose
        </button>
      </Form>
      <Link to="?other">go on</Link>
    </>
  );
}

const Stub = createRemixStub([
  {
    path: "/",
    Component: Page,
    loader: load,
    action: async ({ request }) => {
      const intent = (await request.formData()).get("intent");
      // What a client action returns for a response that was lost.
      if (intent === "lose") return null;
      return intent === "leave" ? redirect("/") : intent;
    },
  },
]);

const press = (name: string) => fireEvent.click(screen.getByText(name, { selector: "button, a" }));

it.each(["go on", "leave"])("keeps an action's result while the page is loaded again, until: %s", async (end) => {
  render(<Stub />);
  await screen.findByText("nothing");
  press("save");
  await screen.findByText("save", { selector: "p" });
  for (let count = 0; count < 2; count += 1) {
    const before = loads;
    press("load again");
    await screen.findByText(`load ${before + 1}`);
    screen.getByText("save", { selector: "p" });
  }
  const before = loads;
  press("lose");
  await screen.findByText(`load ${before + 1}`);
  screen.getByText("save", { selector: "p" });
  press(end);
  await screen.findByText("nothing");
});
