// @vitest-environment jsdom
import { json } from "@remix-run/node";
import { createRemixStub } from "@remix-run/testing";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { useChains } from "wagmi";
import { layoutRouteId } from "~/loaded-data/layout-data";
import { getQueryClient } from "~/query-cache/query-client";
import { WalletProvider } from "~/wallet/wallet-provider";
import { makeUser } from "../../support/site";

let seen: { client: QueryClient; chains: number[] } | undefined;

function Probe() {
  seen = { client: useQueryClient(), chains: useChains().map(({ id }) => id) };
  return <p>ready</p>;
}

const Page = () => (
  <WalletProvider rpc={{ mainnet: null, sepolia: null }}>
    <Probe />
  </WalletProvider>
);

afterEach(cleanup);

describe("the wallet's part of a page", () => {
  it("R21 C12 K09 uses the route context's query client, and mainnet and Sepolia", async () => {
    const user = makeUser();
    const loader = () => json({ auth: "passkey", user, userError: null, email: user.email });
    const Stub = createRemixStub([
      { id: layoutRouteId, path: "/", loader, children: [{ index: true, Component: Page }] },
    ]);
    render(<Stub />);
    await screen.findByText("ready");
    expect(seen?.client).toBe(getQueryClient());
    expect(seen?.chains).toEqual([1, 11_155_111]);
  });
});
