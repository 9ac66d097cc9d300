import { Link } from "@remix-run/react";
import { consentsPath, type DocumentVersion, documentNames } from "~/lib/consent";
import { Note } from "~/ui/note";

/** New versions of documents that the customer has accepted before. Nothing on the page depends on them. */
export function ChangedDocuments({ versions }: { versions: readonly DocumentVersion[] }) {
  if (versions.length === 0) return null;
  const names = versions.map(({ document }) => documentNames[document]).join(" and ");
  return (
    <Note tone="info" title={`Our ${names} ${versions.length > 1 || names.endsWith("s") ? "have" : "has"} changed`}>
      <p>
        <Link to={consentsPath}>Read and accept the new version</Link> when you have a minute. Swaps in progress,
        payouts and refunds go on as before.
      </p>
    </Note>
  );
}
