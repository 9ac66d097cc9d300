import type { ComponentPropsWithoutRef } from "react";
import { classNames } from "./class-names";
import * as styles from "./layout.css";

type Gap = keyof typeof styles.gaps;
type Align = keyof typeof styles.align;
type Justify = keyof typeof styles.justify;
type Props = ComponentPropsWithoutRef<"div"> & { gap?: Gap; align?: Align };

/** A vertical stack. */
export function Stack({ gap = 4, align, className, ...rest }: Props) {
  return (
    <div {...rest} className={classNames(styles.stack, styles.gaps[gap], align && styles.align[align], className)} />
  );
}

/** A horizontal row that wraps. */
export function Row({ gap = 3, align = "center", justify, className, ...rest }: Props & { justify?: Justify }) {
  const names = [styles.row, styles.gaps[gap], styles.align[align], justify && styles.justify[justify], className];
  return <div {...rest} className={classNames(...names)} />;
}
