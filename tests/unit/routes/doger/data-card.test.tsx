// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { plainLocale } from "~/lib/locale";
import { DataCard } from "~/routes/doger/account/data-card";
import { makeUser } from "../../../support/site";

afterEach(cleanup);

let user = makeUser();
const Page = () => <DataCard user={user} refusal="recovered" />;

it.each([
  ["2030-01-02T03:04:00.000Z", /can't be downloaded until Jan 2, 2030, 03:04 AM\./],
  [undefined, /can't be downloaded until 24 hours after the recovery\./],
])("says until when data can't be downloaded after a recovery: %s", (payouts_wait_until, text) => {
  user = makeUser({ payouts_wait_until });
  const Stub = createRemixStub([{ id: "root", path: "/", loader: () => null, Component: Page }]);
  const root = { locale: plainLocale, terms: { recoveryHoldMs: 24 * 3_600_000 } };
  const { container } = render(<Stub hydrationData={{ loaderData: { root } }} />);
  expect(container.textContent).toMatch(text);
});
