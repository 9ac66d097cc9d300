import { useNavigation } from "@remix-run/react";
import { ButtonLink } from "./button";
import { Row } from "./layout";
import { Spinner } from "./spinner";

type Props = { label: string; newer: string | undefined; older: string | undefined };

/** Links for keyset pagination, which has no page numbers. */
export function Pagination({ label, newer, older }: Props) {
  if (!newer && !older) return null;
  return (
    <nav aria-label={label}>
      <Row justify="between">
        <span>{newer ? <PageLink to={newer}>Newest</PageLink> : null}</span>
        <span>{older ? <PageLink to={older}>Older</PageLink> : null}</span>
      </Row>
    </nav>
  );
}

/** Shows its progress, because the list stays on the screen until the other page has loaded. */
function PageLink({ to, children }: { to: string; children: string }) {
  const { location } = useNavigation();
  const isOpening = location !== undefined && location.pathname + location.search === to;
  return <ButtonLink to={to}>{isOpening ? <Spinner>Loading…</Spinner> : children}</ButtonLink>;
}
