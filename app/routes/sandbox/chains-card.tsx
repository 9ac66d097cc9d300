import type { Status } from "~/api/contract";
import { text } from "~/styles/text.css";
import { Badge } from "~/ui/badge";
import { Card } from "~/ui/card";
import { DataList } from "~/ui/data-list";
import { Stack } from "~/ui/layout";

const names = { ethereum: "Ethereum", mobilecoin: "MobileCoin" } as const;

/** The two private chains and whether the exchange keeps up with them. */
export function ChainsCard({ status }: { status: Status | null }) {
  return (
    <Card id="chains" aria-labelledby="chains-title">
      <Stack gap={4}>
        <h2 id="chains-title" className={text.heading}>
          Chains
        </h2>
        {status ? (
          <DataList
            rows={[
              ...(["ethereum", "mobilecoin"] as const).map((network) => ({
                key: network,
                term: names[network],
                value: <ChainState chain={status.chains[network]} />,
              })),
              {
                key: "swaps",
                term: "New swaps",
                value: (
                  <Badge tone={status.accepting_swaps ? "good" : "waiting"}>
                    {status.accepting_swaps ? "taken" : "stopped"}
                  </Badge>
                ),
              },
            ]}
          />
        ) : (
          <p>The exchange is starting. Look again in a moment.</p>
        )}
        <p className={text.muted}>
          Ethereum here is a real EVM that bears Sepolia's number, 11155111, and makes a block a second while it is in
          use. A transaction sent on the public Sepolia never reaches it.
        </p>
      </Stack>
    </Card>
  );
}

function ChainState({ chain }: { chain: Status["chains"]["ethereum"] }) {
  if (!chain.ok) return <Badge tone="danger">not answering</Badge>;
  return (
    <>
      {chain.height === null ? null : `block ${chain.height.toLocaleString("en")} `}
      <Badge tone={chain.synced ? "good" : "waiting"}>{chain.synced ? "in step" : "catching up"}</Badge>
    </>
  );
}
