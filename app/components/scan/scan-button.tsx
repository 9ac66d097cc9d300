import { useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import type { AddressType } from "~/lib/assets";
import { Button } from "~/ui/button";
import { NeedsScripts } from "~/ui/needs-scripts";
import { onDemand } from "~/ui/on-demand";

const ScanDialog = onDemand(() => import("./scan-dialog"));

type Props = { type: AddressType | null; onAddress(address: string): void };

/** Fills in an address from a QR code in front of the camera. Hidden where the browser has no camera API. */
export function ScanButton({ type, onAddress }: Props) {
  const hydrated = useHydrated();
  const [open, setOpen] = useState(false);
  if (hydrated && !navigator.mediaDevices?.getUserMedia) return null;
  return (
    <>
      <NeedsScripts>
        <Button type="button" size="small" onClick={() => setOpen(true)}>
          Scan a QR code
        </Button>
      </NeedsScripts>
      {open ? <ScanDialog type={type} onAddress={onAddress} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
