import { Link } from "@remix-run/react";
import { text } from "~/styles/text.css";
import { LiveRegion } from "~/ui/live-region";
import { Note } from "~/ui/note";
import type { SandboxResult } from "./action.server";

type Props = { result: SandboxResult | undefined; intent: SandboxResult["intent"]; redirect: string | null };

/** The result of a form, shown above it. */
export function TransferNote({ result, intent, redirect }: Props) {
  const { error, done } = result?.intent === intent ? result : {};
  return (
    <>
      {error ? <Note tone="danger" title={error} live /> : null}
      <LiveRegion visible>
        {done && !error ? (
          <Note tone="good" title={done.title}>
            <p>
              <code className={text.code}>{done.hash}</code>
            </p>
            {redirect ? (
              <p>
                <Link to={redirect}>Back to where you were</Link>
              </p>
            ) : null}
          </Note>
        ) : null}
      </LiveRegion>
    </>
  );
}
