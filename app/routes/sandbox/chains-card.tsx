import type { Status } from "~/api/contract";
import { toChainText } from "~/lib/pause-reasons";
import { text } from "~/styles/text.css";
import { Badge } from "~/ui/badge";
import { Card } from "~/ui/card";
import { DataList } from "~/ui/data-list";
import { Stack } from "~/ui/layout";

const names = { ethereum: "Ethereum", mobilecoin: "MobileCoin" } as const;

/** The status of the two private chains and of the exchange. */
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
                    {status.accepting_swaps ? "Open" : "Paused"}
                  </Badge>
                ),
              },
            ]}
          />
        ) : (
          <p>The exchange is starting. Check again in a moment.</p>
        )}
        <p className={text.muted}>
          Ethereum here is a private EVM chain that uses Sepolia's chain ID, 11155111. Transactions sent on the public
          Sepolia network never reach it.
        </p>
      </Stack>
    </Card>
  );
}

function ChainState({ chain }: { chain: Status["chains"]["ethereum"] }) {
  return (
    <>
      {chain.height === null || !chain.synced ? null : `block ${chain.height.toLocaleString("en")} `}
      <Badge tone={chain.ok ? "good" : "danger"}>{toChainText(chain)}</Badge>
    </>
  );
}
