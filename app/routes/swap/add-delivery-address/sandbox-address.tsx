import { Link } from "@remix-run/react";
import { useState } from "react";
import { paths } from "~/lib/paths";
import { Button } from "~/ui/button";
import { NeedsScripts } from "~/ui/needs-scripts";
import { Note } from "~/ui/note";

type Props = { onAddress: (address: string) => void };

/** Fills in the address of the sandbox's own MobileCoin wallet, for visitors who have none. */
export function SandboxAddress({ onAddress }: Props) {
  const [state, setState] = useState<"idle" | "loading" | "failed">("idle");

  async function load() {
    setState("loading");
    try {
      const response = await fetch(`${paths.sandbox}/mobilecoin/wallet`);
      const { address } = (await response.json()) as { address: string };
      if (!response.ok || typeof address !== "string") throw new Error("no wallet");
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
          <Button
            type="button"
            size="small"
            pending={state === "loading" && "Getting the address…"}
            onClick={() => void load()}
          >
            Use the sandbox address
          </Button>
        </NeedsScripts>
      }
    >
      No MobileCoin wallet? <Link to={paths.sandbox}>The sandbox has one</Link> you can use.
      {state === "failed" ? " It isn't responding right now. Try again in a moment." : null}
    </Note>
  );
}
