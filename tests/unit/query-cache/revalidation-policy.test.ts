import { afterEach, describe, expect, it, vi } from "vitest";
import { noResponse } from "~/query-cache/failures";
import { readOnlyIntents, revalidationPolicy } from "~/query-cache/revalidation-policy";
import * as forms from "~/sign-in/sign-in-forms.server";

type Change = Parameters<typeof revalidationPolicy>[0];

const here = new URL("http://localhost:3000/swap");
const shouldRevalidate = (change: Partial<Change>) =>
  revalidationPolicy({ currentUrl: here, nextUrl: here, defaultShouldRevalidate: true, ...change } as Change);

function makeForm(intent: string): FormData {
  const formData = new FormData();
  formData.set("intent", intent);
  return formData;
}

const stubNavigation = (state: "idle" | "loading") =>
  vi.stubGlobal("window", { __remixRouter: { state: { navigation: { state } } } });

afterEach(() => vi.unstubAllGlobals());

describe("revalidationPolicy", () => {
  it("loads a page again after an action", () => {
    vi.stubGlobal("navigator", { onLine: true });
    const formData = makeForm("lock");
    expect(shouldRevalidate({})).toBe(true);
    expect(shouldRevalidate({ formData, actionResult: { error: "no" } })).toBe(true);
    expect(shouldRevalidate({ formData, actionResult: undefined })).toBe(true);
  });

  it("keeps the data after a read-only intent, a lost response, and while offline", () => {
    vi.stubGlobal("navigator", { onLine: true });
    stubNavigation("idle");
    const formData = makeForm("registration-options");
    expect(shouldRevalidate({ formData, actionResult: { options: {} } })).toBe(false);
    // A redirect says that something is different, such as that the session is over.
    expect(shouldRevalidate({ formData, actionResult: undefined })).toBe(true);
    expect(shouldRevalidate({ actionResult: noResponse })).toBe(false);
    vi.stubGlobal("navigator", { onLine: false });
    expect(shouldRevalidate({})).toBe(false);
    expect(shouldRevalidate({ nextUrl: new URL("/doger", here) })).toBe(true);
  });

  it("loads the data if a read-only intent ends while a page is loading, because Remix then ends that navigation", () => {
    vi.stubGlobal("navigator", { onLine: true });
    stubNavigation("loading");
    expect(shouldRevalidate({ formData: makeForm("autofill-options"), actionResult: { options: {} } })).toBe(true);
  });
});

it("lists exactly the read-only intents that the sign-in forms have", () => {
  const intents = Object.values(forms).flatMap((form) =>
    typeof form === "object" && "shape" in form ? [form.shape.intent.value] : [],
  );
  expect(intents.filter((intent) => intent.endsWith("-options")).sort()).toEqual([...readOnlyIntents].sort());
});
