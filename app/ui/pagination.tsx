import type { LinkProps } from "@remix-run/react";
import { ButtonLink } from "./button";
import { Row } from "./layout";

type Props = { label: string; newer?: LinkProps["to"]; older?: LinkProps["to"] };

/** Links for keyset pagination, which has no page numbers. */
export function Pagination({ label, newer, older }: Props) {
  if (!newer && !older) return null;
  return (
    <nav aria-label={label}>
      <Row justify="between">
        <span>{newer ? <ButtonLink to={newer}>Newest</ButtonLink> : null}</span>
        <span>{older ? <ButtonLink to={older}>Older</ButtonLink> : null}</span>
      </Row>
    </nav>
  );
}
