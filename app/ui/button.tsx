import { Link, type LinkProps } from "@remix-run/react";
import type { ComponentPropsWithoutRef, MouseEvent, ReactNode } from "react";
import * as styles from "./button.css";
import { classNames } from "./class-names";
import { Spinner } from "./spinner";

type Appearance = {
  /** Use one primary button per screen, for the next step. */
  kind?: "primary" | "secondary" | "quiet" | "danger";
  size?: "small" | "normal" | "large";
  /** Fills the container's width. */
  full?: boolean;
};

function toClassName({ kind = "secondary", size = "normal", full }: Appearance, className?: string): string {
  return classNames(styles.button, styles.kinds[kind], styles.sizes[size], full && styles.full, className);
}

export type ButtonProps = Appearance &
  Omit<ComponentPropsWithoutRef<"button">, "aria-disabled"> & {
    /** The label while the action is in progress. A pending button keeps the focus but ignores clicks. */
    pending?: ReactNode;
    /** Ignores clicks for another reason. Unlike a disabled button, it keeps the focus. */
    "aria-disabled"?: boolean;
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
  "aria-disabled": isDisabled,
  ...rest
}: ButtonProps) {
  const isPending = Boolean(pending);
  const ignoresClicks = isPending || isDisabled || undefined;
  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    if (ignoresClicks) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      {...rest}
      type={type}
      className={toClassName({ kind, size, full }, className)}
      aria-disabled={ignoresClicks}
      onClick={handleClick}
    >
      {/* An element, because a translated page no longer has the text nodes that React would remove. */}
      {isPending ? <Spinner>{pending}</Spinner> : <span className={styles.label}>{children}</span>}
    </button>
  );
}

export type ExternalButtonLinkProps = Appearance & ComponentPropsWithoutRef<"a">;

/** For a link that this site doesn't serve, such as one that opens an app. */
export function ExternalButtonLink({ kind, size, full, className, children, ...rest }: ExternalButtonLinkProps) {
  return (
    <a {...rest} className={toClassName({ kind, size, full }, className)}>
      {children}
    </a>
  );
}

export type ButtonLinkProps = Appearance & LinkProps;

export function ButtonLink({ kind, size, full, className, prefetch = "intent", ...rest }: ButtonLinkProps) {
  return <Link {...rest} prefetch={prefetch} className={toClassName({ kind, size, full }, className)} />;
}
