// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { onDemand } from "~/ui/on-demand";

afterEach(cleanup);

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>;

it("shows what is in progress until its code has loaded, and from then on the component", async () => {
  const Part = onDemand(async () => ({ default: Greeting }), "Opening…");
  const first = render(<Part name="Ada" />);
  expect(first.container.textContent).toBe("Opening…");
  await screen.findByText("Hello Ada");
  first.unmount();
  expect(render(<Part name="Eve" />).container.textContent).toBe("Hello Eve");
});

it("E17 keeps the page if its code can't be loaded, and loads it when the visitor tries again", async () => {
  let isOnline = false;
  const Part = onDemand(async () => {
    if (!isOnline) throw new TypeError("Failed to fetch dynamically imported module");
    return { default: Greeting };
  });
  const { container } = render(
    <>
      <input aria-label="Address" defaultValue="typed" />
      <Part name="Ada" />
    </>,
  );
  expect(container.textContent).toBe("");
  expect((await screen.findByRole("alert")).textContent).toMatch(/^We couldn't load this\. Check your connection\./);
  isOnline = true;
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Hello Ada");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByRole("textbox", { name: "Address" })).toHaveProperty("value", "typed");
});
