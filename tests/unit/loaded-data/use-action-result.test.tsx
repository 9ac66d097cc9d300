// @vitest-environment jsdom
import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { Form, Link, useLoaderData, useRevalidator } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ComponentType } from "react";
import { afterEach, it } from "vitest";
import { useActionResult } from "~/loaded-data/use-action-result";
import { noResponse } from "~/query-cache/failures";

afterEach(cleanup);

let loads = 0;

/** Tells the results of its calls apart, so that a test can wait for the page with one. */
function load(): number {
  loads += 1;
  return loads;
}

function Page({ lost }: { lost?: string }) {
  const { revalidate } = useRevalidator();
  return (
    <>
      <h1>load {useLoaderData<typeof load>()}</h1>
      <p>{useActionResult<() => string>(lost) ?? "nothing"}</p>
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

const page = {
  path: "/",
  loader: load,
  async action({ request }: ActionFunctionArgs) {
    const intent = (await request.formData()).get("intent");
    if (intent === "lose") return noResponse;
    return intent === "leave" ? redirect("/") : intent;
  },
};

const PageForLost = () => <Page lost="lost" />;

async function show(Component: ComponentType): Promise<void> {
  const Stub = createRemixStub([{ ...page, Component }]);
  render(<Stub />);
  await screen.findByText("nothing");
}

const press = (name: string) => fireEvent.click(screen.getByText(name, { selector: "button, a" }));

it.each(["go on", "leave"])("keeps an action's result while the page is loaded again, until: %s", async (end) => {
  await show(Page);
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

it("keeps what it was given for a form without a response, until the next result", async () => {
  await show(PageForLost);
  press("lose");
  await screen.findByText("lost");
  const before = loads;
  press("load again");
  await screen.findByText(`load ${before + 1}`);
  screen.getByText("lost");
  press("save");
  await screen.findByText("save", { selector: "p" });
});
