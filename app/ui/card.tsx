import type { ComponentPropsWithoutRef } from "react";
import * as styles from "./card.css";
import { classNames } from "./class-names";

type Props = ComponentPropsWithoutRef<"section"> & { as?: "section" | "article" | "aside" | "div"; roomy?: boolean };

/** A raised panel. Don't nest cards. */
export function Card({ as: Element = "section", roomy, className, ...rest }: Props) {
  return <Element {...rest} className={classNames(styles.card, roomy && styles.roomy, className)} />;
}
