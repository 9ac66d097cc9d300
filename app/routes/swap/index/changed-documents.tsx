import { Link } from "@remix-run/react";
import type { NamedVersion } from "~/lib/consent";
import { paths } from "~/lib/paths";
import { Note } from "~/ui/note";

/** New versions of documents that the customer has accepted before. Nothing on the page depends on them. */
export function ChangedDocuments({ versions }: { versions: readonly NamedVersion[] }) {
  if (versions.length === 0) return null;
  const names = versions.map(({ name }) => name).join(" and ");
  return (
    <Note tone="info" title={`Our ${names} ${versions.length > 1 || names.endsWith("s") ? "have" : "has"} changed`}>
      <p>
        <Link to={`${paths.doger}#documents`}>Read and accept the new version</Link> when you have a minute. Swaps in
        progress, payouts and refunds go on as before.
      </p>
    </Note>
  );
}
