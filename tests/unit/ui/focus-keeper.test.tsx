// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { type ReactNode, useEffect, useState } from "react";
import { afterEach, expect, it } from "vitest";
import { FocusKeeper } from "~/ui/focus-keeper";
import { watchFocus } from "~/ui/watch-focus";

afterEach(cleanup);

function Watched({ children }: { children: ReactNode }) {
  useEffect(watchFocus, []);
  return children;
}

function Steps() {
  const [step, setStep] = useState(1);
  return (
    <>
      <input aria-label="Elsewhere" />
      <FocusKeeper label="Steps">
        <button key={step} type="button" onClick={() => setStep(step + 1)}>
          Step {step}
        </button>
      </FocusKeeper>
    </>
  );
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

it("takes the focus when the focused control is replaced, and leaves it elsewhere", async () => {
  render(
    <Watched>
      <Steps />
    </Watched>,
  );
  const group = screen.getByRole("group", { name: "Steps" });
  // Nothing had the focus, so nothing takes it.
  press("Step 1");
  await Promise.resolve();
  expect(document.activeElement).toBe(document.body);
  screen.getByRole("button").focus();
  press("Step 2");
  await waitFor(() => expect(document.activeElement).toBe(group));
  screen.getByRole("button").focus();
  screen.getByRole("button").blur();
  await new Promise((resolve) => setTimeout(resolve));
  press("Step 3");
  await Promise.resolve();
  expect(document.activeElement, "left before").toBe(document.body);
  screen.getByRole("button").focus();
  screen.getByRole("textbox").focus();
  press("Step 4");
  await Promise.resolve();
  expect(document.activeElement).toBe(screen.getByRole("textbox"));
});

function Nested() {
  const [step, setStep] = useState(1);
  return (
    <FocusKeeper label="Outer">
      {step === 1 || step === 4 ? (
        <button type="button" onClick={() => setStep(step + 1)}>
          Go on
        </button>
      ) : (
        <FocusKeeper label="Inner">
          <button key={step} type="button" onClick={() => setStep(step + 1)}>
            Go on
          </button>
        </FocusKeeper>
      )}
    </FocusKeeper>
  );
}

it("leaves the focus to a group in it, as long as that is there", async () => {
  render(
    <Watched>
      <Nested />
    </Watched>,
  );
  for (const name of ["Outer", "Inner", "Outer"]) {
    screen.getByRole("button").focus();
    press("Go on");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("group", { name })));
  }
});
