import { Link } from "@remix-run/react";
import type { NamedVersion } from "~/lib/consent";
import { paths } from "~/lib/paths";
import { Note } from "~/ui/note";

/**
 * Tells the customer about new versions of documents that they accepted before. They can swap without accepting them.
 */
export function ChangedDocuments({ versions }: { versions: readonly NamedVersion[] }) {
  if (versions.length === 0) return null;
  const names = versions.map(({ name }) => name).join(" and ");
  return (
    <Note tone="info" title={`Our ${names} ${versions.length > 1 || names.endsWith("s") ? "have" : "has"} changed`}>
      <p>
        <Link to={`${paths.doger}#documents`}>Read and accept the new version</Link> when you have a minute. Swaps in
        progress, payouts and refunds continue as before.
      </p>
    </Note>
  );
}
