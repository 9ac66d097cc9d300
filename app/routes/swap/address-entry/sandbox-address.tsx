import { useState } from "react";
import { paths } from "~/lib/paths";
import { Button } from "~/ui/button";
import { LiveRegion } from "~/ui/live-region";
import { NeedsScripts } from "~/ui/needs-scripts";

type Props = { onAddress: (address: string) => void };

/** The address of the sandbox's own MobileCoin wallet. */
export async function readSandboxAddress(): Promise<string> {
  const response = await fetch(`${paths.sandbox}/mobilecoin/wallet`);
  const { address } = (await response.json()) as { address: string };
  if (!response.ok || typeof address !== "string") throw new Error("no wallet");
  return address;
}

/** Fills in the address of the sandbox's own MobileCoin wallet. */
export function SandboxAddressButton({ onAddress }: Props) {
  const [state, setState] = useState<"idle" | "loading" | "failed">("idle");

  async function load() {
    setState("loading");
    try {
      onAddress(await readSandboxAddress());
      setState("idle");
    } catch {
      setState("failed");
    }
  }

  const failure = "The sandbox isn't responding. Try again in a moment.";
  return (
    <NeedsScripts>
      <Button
        type="button"
        size="small"
        pending={state === "loading" && "Getting the address…"}
        onClick={() => void load()}
      >
        Use the sandbox address
      </Button>
      {state === "failed" ? <span>{failure}</span> : null}
      <LiveRegion>{state === "failed" ? failure : ""}</LiveRegion>
    </NeedsScripts>
  );
}
