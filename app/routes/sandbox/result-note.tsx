import { Link } from "@remix-run/react";
import { text } from "~/styles/text.css";
import { Note } from "~/ui/note";
import type { SandboxResult } from "./act.server";

type Props = { result: SandboxResult | undefined; intent: SandboxResult["intent"]; redirect: string | null };

/** The result of a form, shown above it. */
export function ResultNote({ result, intent, redirect }: Props) {
  if (result?.intent !== intent) return null;
  if (result.error) return <Note tone="danger" title={result.error} live />;
  if (!result.done) return null;
  return (
    <Note tone="good" title={result.done.title} live>
      <p>
        <code className={text.code}>{result.done.hash}</code>
      </p>
      {redirect ? (
        <p>
          <Link to={redirect}>Back to where you were</Link>
        </p>
      ) : null}
    </Note>
  );
}
