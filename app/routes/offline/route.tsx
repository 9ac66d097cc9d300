import type { MetaFunction } from "@remix-run/node";
import { Landscape } from "~/components/brand/landscape";
import { LookingAntelope } from "~/components/brand/looking-antelope";
import { Narrow } from "~/components/shell/arrangements";
import { PageEnd } from "~/components/shell/page-end";
import { footer, frame, main } from "~/components/shell/page-shell.css";
import { withoutScripts } from "~/components/shell/use-scripts";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import tryAgain from "./try-again.js?url";

/**
 * What the service worker shows without a network, at the address that was wanted. It is kept as
 * a stranger gets it: nothing of anybody's may be on it, and no way on but to that address.
 */
export const handle = withoutScripts;

export const meta: MetaFunction = () => [{ title: "No network · Antelope" }, { name: "robots", content: "noindex" }];

export default function Offline() {
  return (
    <div className={frame}>
      <main id="main" className={main}>
        <Narrow title="You are offline. Your order is safe." lede="The swap goes on without this page.">
          <Card roomy>
            <Stack gap={4}>
              <LookingAntelope />
              <p>
                <strong>Paid already?</strong> Then there is nothing to do. Your payment counts from its block on the
                chain, and the coins go where you chose, whether or not anybody looks on.
              </p>
              <p>
                <strong>Not yet?</strong> The locked price keeps its time. Send nothing from memory: wait until you see
                the address and the amount again.
              </p>
              <p>This page tries again by itself.</p>
              <Button id="try-again" type="button" full>
                Try again now
              </Button>
            </Stack>
          </Card>
        </Narrow>
      </main>
      <Landscape />
      <footer className={footer} />
      <PageEnd />
      <script src={tryAgain} type="module" />
    </div>
  );
}
