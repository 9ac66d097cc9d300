import type { LinkProps } from "@remix-run/react";
import { ButtonLink } from "./button";
import { Row } from "./layout";

type Props = { label: string; newer?: LinkProps["to"]; older?: LinkProps["to"] };

/** Pages by key, so there are no numbers: back to the newest, on to what is older. */
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
