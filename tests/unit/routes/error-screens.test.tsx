// @vitest-environment jsdom
import { data } from "@remix-run/node";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ComponentType } from "react";
import { afterEach, describe, expect, it } from "vitest";
import "../../support/site";
import { Wordmark } from "~/components/brand/wordmark";
import { RootErrorScreen } from "~/components/errors/root-error-screen";
import { ErrorScreen } from "~/routes/layout/error-screen";
import { LoadingScreen } from "~/routes/layout/loading-screen";
import NotFound from "~/routes/not-found/route";

afterEach(cleanup);

function show(Component: ComponentType) {
  const Stub = createRemixStub([{ path: "/", Component }]);
  return render(<Stub />);
}

/** Shows the error screen of a route whose loader fails. */
async function fail(ErrorBoundary: ComponentType, error: unknown) {
  const loader = () => {
    throw error;
  };
  const Stub = createRemixStub([{ path: "/page", loader, Component: () => <p>loaded</p>, ErrorBoundary }]);
  render(<Stub initialEntries={["/page?part=2"]} />);
  await screen.findByRole("heading", { level: 1 });
}

/** The lines of the paragraph that is a poem, as it is read. */
function readPoem(container: HTMLElement): string[] {
  const poem = [...container.querySelectorAll("p")].find((paragraph) => paragraph.querySelector("br"));
  return (poem?.innerHTML ?? "").split("<br>").map((line) => line.trim());
}

describe("the screens without their own content", () => {
  it("R16 the loading screen says Loading... and has a poem about an antelope", () => {
    const { container } = show(LoadingScreen);
    expect(screen.getByText("Loading...")).toBeTruthy();
    expect(readPoem(container)).toEqual([
      "The antelope pauses, one hoof in the air,",
      "and listens for what's on the breeze.",
      "A moment, no longer: she'll soon be right there,",
      "a flicker of gold through the trees.",
    ]);
  });

  it("R17 the not-found page has the title 404 and a poem about a lost page and an antelope", () => {
    const { container } = show(NotFound);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("404");
    expect(readPoem(container)).toEqual([
      "This page has wandered off the trail",
      "and left no hoofprint in the clay.",
      "The antelope just flicks her tail",
      "and says she saw it run away.",
    ]);
  });

  it("R24 the theme is an antelope: the wordmark, the drawings and the poems", () => {
    for (const Screen of [LoadingScreen, NotFound, () => <Wordmark />]) {
      const { container } = show(Screen);
      expect(container.innerHTML.toLowerCase()).toContain("antelope");
      expect(container.querySelector("svg")).toBeTruthy();
      cleanup();
    }
  });

  it("R18 the root's error screen has the title Error and its text", async () => {
    await fail(RootErrorScreen, new Error("broken"));
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Error");
    expect(
      screen.getByText(
        "An unexpected error has occurred. Please try again later or contact support if the issue persists.",
      ),
    ).toBeTruthy();
  });

  it("R19 the error screen hides the error until Show Error is pressed, and hides it again", async () => {
    await fail(ErrorScreen, data({ message: "Invalid quote" }, { status: 400 }));
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Something went wrong!");
    const details = document.getElementById("error-details");
    const collapsed = details?.className ?? "";
    expect(details?.textContent).toBe("Invalid quote");
    expect(collapsed).not.toBe("");
    const toggle = screen.getByRole("button", { name: "Show Error" });
    expect(toggle.getAttribute("aria-expanded")).toBe("false");
    expect(toggle.getAttribute("aria-controls")).toBe("error-details");
    fireEvent.click(toggle);
    expect(toggle.textContent).toBe("Hide Error");
    expect(toggle.getAttribute("aria-expanded")).toBe("true");
    expect(details?.className).toBe("");
    fireEvent.click(toggle);
    expect(toggle.textContent).toBe("Show Error");
    expect(details?.className).toBe(collapsed);
  });

  it.each([
    ["the exchange does not respond", data({ message: "Unavailable" }, { status: 503 }), "Try again", "/page?part=2"],
    ["there were too many requests", data({ message: "Wait." }, { status: 429 }), "Try again", "/page?part=2"],
    ["the page failed", new Error("broken"), "Try again", "/page?part=2"],
    ["the request was refused", data({ message: "Invalid quote" }, { status: 400 }), "Start again", "/swap"],
  ])("leads back to the page if it may load the next time: %s", async (_, error, name, href) => {
    await fail(ErrorScreen, error);
    expect(screen.getByRole("link", { name }).getAttribute("href")).toBe(href);
  });

  it("R20 the error screen for a 404 is titled Not Found", async () => {
    await fail(ErrorScreen, data({ message: "Not Found" }, { status: 404 }));
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Not Found");
    expect(screen.queryByRole("button", { name: "Show Error" })).toBeNull();
  });
});
