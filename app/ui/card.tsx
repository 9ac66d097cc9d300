import type { ComponentPropsWithoutRef } from "react";
import * as styles from "./card.css";
import { classNames } from "./class-names";

type Props = ComponentPropsWithoutRef<"section"> & { as?: "section" | "article" | "aside" | "div"; roomy?: boolean };

/** What stands in front of the land. Never a card within a card. */
export function Card({ as: Element = "section", roomy, className, ...rest }: Props) {
  return <Element {...rest} className={classNames(styles.card, roomy && styles.roomy, className)} />;
}
