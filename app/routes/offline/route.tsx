import type { MetaFunction } from "@remix-run/node";
import { Landscape } from "~/components/brand/landscape";
import { LookingAntelope } from "~/components/brand/looking-antelope";
import { Narrow } from "~/components/shell/layouts";
import { PageEnd } from "~/components/shell/page-end";
import { footer, frame, main } from "~/components/shell/page-shell.css";
import { withoutScripts } from "~/components/shell/use-scripts";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import retryScript from "./try-again.js?url";

/**
 * The page that the service worker shows while the visitor is offline, at the URL they opened. It is cached as
 * rendered for a signed-out visitor, so it must hold no personal data, and it links nowhere else.
 */
export const handle = withoutScripts;

export const meta: MetaFunction = () => [
  { title: "You are offline · Antelope" },
  { name: "robots", content: "noindex" },
];

export default function Offline() {
  return (
    <div className={frame}>
      <main id="main" className={main}>
        <Narrow title="You are offline. Your order is safe." lede="Your swap continues without this page.">
          <Card roomy>
            <Stack gap={4}>
              <LookingAntelope />
              <p>
                <strong>Already paid?</strong> There is nothing you need to do. Your payment counts from the block it is
                included in, and your coins go to the address you chose, even while you are offline.
              </p>
              <p>
                <strong>Not paid yet?</strong> Your time to pay keeps running. Don't send anything from memory: wait
                until you can see the address and the amount again.
              </p>
              <p>This page retries automatically.</p>
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
      <script src={retryScript} type="module" />
    </div>
  );
}
