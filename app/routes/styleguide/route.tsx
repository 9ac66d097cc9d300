import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { PageShell } from "~/components/shell/page-shell";
import { color } from "~/styles/theme.css";
import { Button } from "~/ui/button";
import { drawQr } from "~/ui/qr-drawing.server";
import { BrandSamples } from "./brand-samples";
import { ControlSamples } from "./control-samples";
import { LayoutSample } from "./layout-samples";
import { StateSamples } from "./state-samples";
import * as styles from "./styleguide.css";

export const meta = () => [{ title: "Styleguide · Antelope" }];

/** Every UI component in every state, in development only. `?show=hero|wide|narrow|not-found` shows a whole layout. */
export function loader(_: LoaderFunctionArgs) {
  // In the loader, so that the colour names don't end up in the browser bundle.
  const roles = Object.entries(color).filter(([role]) => role !== "shadow" && role !== "star");
  return { roles, qr: drawQr("ethereum:0x70997970C51812dc3A010C7d01b50e0d17dc79C8@11155111?value=0") };
}

export default function Styleguide() {
  const { roles, qr } = useLoaderData<typeof loader>();
  const show = useSearchParams()[0].get("show");
  const signedOut = show === "narrow";
  return (
    <PageShell
      user={signedOut ? null : { email: "alma@example.org" }}
      current={signedOut ? undefined : "swap"}
      signOut={
        <Button type="button" full>
          Sign out
        </Button>
      }
    >
      {show ? (
        <LayoutSample show={show} qr={qr} />
      ) : (
        <div className={styles.sections}>
          <h1>Styleguide</h1>
          <BrandSamples roles={roles} />
          <ControlSamples />
          <StateSamples qr={qr} />
        </div>
      )}
    </PageShell>
  );
}
