// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { TrackingLink } from "~/routes/swap/quote/order/tracking-link";
import { makeOrder } from "../../../support/orders";

afterEach(cleanup);

let since: string | null;
let change: (link: string | undefined, trackedSince: string | null) => void;
function Shown() {
  const [shared, set] = useState<{ link?: string | undefined; since: string | null }>({ since });
  change = (link, trackedSince) => act(() => set({ link, since: trackedSince }));
  return <TrackingLink order={{ ...makeOrder(), tracked_since: shared.since }} action="/here" link={shared.link} />;
}

function show(trackedSince: string | null) {
  since = trackedSince;
  const Stub = createRemixStub([{ path: "/", Component: Shown }]);
  render(<Stub initialEntries={["/"]} />);
}

const outcome = "A link that is turned off or replaced never works again.";

describe("the tracking link of a swap", () => {
  it("explains, before the button, what turning it off does", () => {
    show("2030-01-01T00:00:00.000Z");
    const button = screen.getByRole("button", { name: "Turn off the link", hidden: true });
    const isBefore = button.compareDocumentPosition(screen.getByText(outcome)) & Node.DOCUMENT_POSITION_PRECEDING;
    expect(isBefore).toBeTruthy();
  });

  it("does not offer to turn off a link that does not exist", () => {
    show(null);
    expect(screen.queryByText(outcome)).toBeNull();
    expect(screen.queryByRole("button", { name: "Turn off the link", hidden: true })).toBeNull();
  });

  it("announces that the link was created and turned off", () => {
    show(null);
    const text = () => document.querySelector("[role=status]")?.textContent;
    expect(text()).toBe("");
    change("https://example.org/track/a", "2030-01-01T00:00:00.000Z");
    expect(text()).toBe("The link is ready to copy.");
    change(undefined, "2030-01-01T00:00:00.000Z");
    expect(text()).toBe("");
    change(undefined, null);
    expect(text()).toBe("The link has been turned off.");
  });
});
