import { Link } from "@remix-run/react";
import { useState } from "react";
import { paths } from "~/lib/paths";
import { Button } from "~/ui/button";
import { NeedsScripts } from "~/ui/needs-scripts";
import { Note } from "~/ui/note";

type Props = { onAddress: (address: string) => void };

/** The sandbox has a MobileCoin wallet for whoever has none; its address is as real as the play money. */
export function SandboxAddress({ onAddress }: Props) {
  const [state, setState] = useState<"idle" | "asking" | "failed">("idle");

  async function ask() {
    setState("asking");
    try {
      const answer = await fetch(`${paths.sandbox}/mobilecoin/wallet`);
      const { address } = (await answer.json()) as { address: string };
      if (!answer.ok || typeof address !== "string") throw new Error("no wallet");
      onAddress(address);
      setState("idle");
    } catch {
      setState("failed");
    }
  }

  return (
    <Note
      tone="waiting"
      action={
        <NeedsScripts>
          <Button type="button" size="small" pending={state === "asking" && "Asking…"} onClick={() => void ask()}>
            Use its address
          </Button>
        </NeedsScripts>
      }
    >
      No MobileCoin wallet? <Link to={paths.sandbox}>The sandbox has one</Link> for you.
      {state === "failed" ? " It does not answer just now." : null}
    </Note>
  );
}
