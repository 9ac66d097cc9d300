import { Link, type LinkProps } from "@remix-run/react";
import type { ComponentPropsWithoutRef, MouseEvent, ReactNode } from "react";
import * as styles from "./button.css";
import { classNames } from "./class-names";
import { Spinner } from "./spinner";

type Look = {
  /** One primary button a screen: the next thing to do. */
  kind?: "primary" | "secondary" | "quiet" | "danger";
  size?: "small" | "normal" | "large";
  /** As wide as what it stands in. */
  full?: boolean;
};

function look({ kind = "secondary", size = "normal", full }: Look, className?: string): string {
  return classNames(styles.button, styles.kinds[kind], styles.sizes[size], full && styles.full, className);
}

export type ButtonProps = Look &
  ComponentPropsWithoutRef<"button"> & {
    /** The words while it works ("Locking the price…"). A pending button keeps the focus and does nothing more. */
    pending?: ReactNode;
  };

export function Button({
  kind,
  size,
  full,
  pending,
  className,
  onClick,
  children,
  type = "submit",
  ...rest
}: ButtonProps) {
  const isPending = Boolean(pending);
  function onPress(event: MouseEvent<HTMLButtonElement>) {
    if (isPending) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      {...rest}
      type={type}
      className={look({ kind, size, full }, className)}
      aria-disabled={isPending || undefined}
      onClick={onPress}
    >
      {isPending ? <Spinner>{pending}</Spinner> : children}
    </button>
  );
}

export type ButtonLinkProps = Look & LinkProps;

export function ButtonLink({ kind, size, full, className, prefetch = "intent", ...rest }: ButtonLinkProps) {
  return <Link {...rest} prefetch={prefetch} className={look({ kind, size, full }, className)} />;
}
