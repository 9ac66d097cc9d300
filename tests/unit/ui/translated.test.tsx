// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { tolerateTranslatedNodes } from "~/browser/tolerate-translated-nodes";
import { Button } from "~/ui/button";
import { CopyField } from "~/ui/copy-field";
import { translate } from "../../support/translate";

afterEach(cleanup);

describe("a page that the browser has translated", () => {
  it("copies, says so, and keeps the value as it is", async () => {
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async () => undefined } });
    render(<CopyField label="Address" value="0x70997970" groups={4} />);
    translate(document.body);
    expect(screen.getByRole("group").querySelector("code")?.textContent).toBe("0x70997970");
    fireEvent.click(screen.getByRole("button"));
    await act(() => Promise.resolve());
    expect(screen.getByRole("button").textContent).toBe("Copied ¿Address?");
    expect(screen.getByRole("button").querySelector("svg")).not.toBeNull();
  });

  it.each([
    ["one text", "Pay"],
    ["two texts", ["Pay ", "5"]],
  ])("shows a button's progress: %s", (_, label) => {
    const { rerender } = render(<Button>{label}</Button>);
    translate(document.body);
    rerender(<Button pending="Paying…">{label}</Button>);
    expect(screen.getByRole("button").textContent).toBe("Paying…");
    translate(document.body);
    rerender(<Button>{label}</Button>);
    expect(screen.getByRole("button").textContent).toBe([label].flat().join(""));
  });

  it("survives changes of text without its own element", () => {
    const show = (isDone: boolean) => (
      <p>
        {isDone ? <b>Done</b> : null}
        {isDone ? null : "Waiting"}
        {" for "}
        it
      </p>
    );
    const end = tolerateTranslatedNodes(Node.prototype);
    try {
      const { container, rerender } = render(show(false));
      translate(container);
      rerender(show(true));
      expect(container.querySelector("b")?.textContent).toBe("Done");
      rerender(show(false));
      expect(container.querySelector("b")).toBeNull();
    } finally {
      end();
    }
    const elsewhere = document.createElement("i");
    expect(() => document.body.removeChild(elsewhere), "as before").toThrow();
  });
});
