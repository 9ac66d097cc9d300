// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { requestTimeoutMs } from "~/lib/constants";
import { DeletionForm } from "~/routes/doger/delete/deletion-form";

afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

const Page = () => <DeletionForm email="ada@example.org" canUseCode={false} codeSent={false} result={undefined} />;

describe("the form that deletes the account", () => {
  it("is sent once, and can be sent again if the visitor has stopped the request", () => {
    const Stub = createRemixStub([{ path: "/", Component: Page }]);
    render(<Stub />);
    vi.useFakeTimers();
    const button = screen.getByRole("button", { name: "Delete my account permanently" });
    // jsdom can't load a document.
    button.closest("form")?.addEventListener("submit", (event) => event.preventDefault());
    fireEvent.submit(button);
    act(() => vi.advanceTimersByTime(requestTimeoutMs - 1));
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(button.textContent).toContain("Deleting your account…");
    act(() => vi.advanceTimersByTime(1));
    expect(button.getAttribute("aria-disabled")).toBeNull();
    expect(button.textContent).toBe("Delete my account permanently");
  });
});
