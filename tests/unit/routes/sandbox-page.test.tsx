// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { SandboxResult } from "~/routes/sandbox/action.server";
import { FaucetCard } from "~/routes/sandbox/faucet-card";
import { parseSandboxParams } from "~/routes/sandbox/search-params";

afterEach(cleanup);

const values = { address: "0x12", asset: "ETH", amount: "0.5" };
const sent: SandboxResult = { intent: "faucet", kind: "done", values, text: "Sent", hash: "0xabc" };
const params = parseSandboxParams(new URLSearchParams());
const Page = () => <FaucetCard action="/sandbox" result={sent} params={params} />;

it("keeps what was sent in the faucet's form, because a browser without JavaScript loads a new page", () => {
  const Stub = createRemixStub([{ path: "/", Component: Page }]);
  render(<Stub />);
  const { form } = screen.getByRole<HTMLButtonElement>("button", { name: "Send test coins" });
  expect(Object.fromEntries(new FormData(form ?? undefined))).toEqual(values);
});
