import type { ReactNode } from "react";
import { useSiteTerms } from "~/loaded-data/root-data";

type Props = {
  /** What to write about: an order's number, for example. It becomes the e-mail's subject. */
  subject?: string;
  /** Follows the link. */
  children?: ReactNode;
};

/** "Write to support@…" as a sentence; nothing if the operator has not set an address. */
export function ContactSupport({ subject, children }: Props) {
  const { supportEmail } = useSiteTerms();
  if (supportEmail === null) return null;
  const search = subject ? `?subject=${encodeURIComponent(subject)}` : "";
  return (
    <>
      Write to <a href={`mailto:${supportEmail}${search}`}>{supportEmail}</a>
      {children ?? "."}
    </>
  );
}
