import type { ComponentPropsWithoutRef } from "react";

type Props = Pick<ComponentPropsWithoutRef<"ul">, "children" | "className" | "aria-label"> & { ordered?: boolean };

/** A list without markers. Its role is explicit, because Safari does not treat such a list as one. */
export function PlainList({ ordered, ...list }: Props) {
  const Tag = ordered ? "ol" : "ul";
  return <Tag role="list" {...list} />;
}
