import { Fragment } from "react";
import type { NamedVersion } from "~/lib/consent";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { VisuallyHidden } from "~/ui/visually-hidden";

/** What the customer accepts by sending the form, which posts the versions that it names. */
export function ConsentSentence({ versions }: { versions: readonly NamedVersion[] }) {
  return (
    <p className={`${text.small} ${text.muted}`}>
      By continuing, you accept{" "}
      {versions.map(({ document, version, name }, at) => (
        <Fragment key={document}>
          {at === 0 ? "" : " and "}the {/* In a new tab, because what is typed here would be lost. */}
          <a href={paths.legal(document)} target="_blank" rel="noreferrer">
            {name}
            <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
          </a>{" "}
          (version {version})
          <input type="hidden" name={document} value={version} />
        </Fragment>
      ))}
      .
    </p>
  );
}
