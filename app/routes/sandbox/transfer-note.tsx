import { Link } from "@remix-run/react";
import { RefusalNote } from "~/components/results/refusal-note";
import { toRefused } from "~/lib/form-result";
import { text } from "~/styles/text.css";
import { LiveRegion } from "~/ui/live-region";
import { Note } from "~/ui/note";
import type { SandboxResult } from "./action.server";

type Props = { result: SandboxResult | undefined; redirect: string | null };

/** The result of a form, shown above it. */
export function TransferNote({ result, redirect }: Props) {
  return (
    <>
      <RefusalNote result={toRefused(result)} />
      <LiveRegion visible>
        {result?.kind === "done" ? (
          <Note tone="good" title={result.text}>
            <p>
              <code className={text.code}>{result.hash}</code>
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
