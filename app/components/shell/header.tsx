import { Link, useMatches } from "@remix-run/react";
import type { ReactNode } from "react";
import { Wordmark } from "~/components/brand/wordmark";
import { paths } from "~/lib/paths";
import { ButtonLink } from "~/ui/button";
import { Icon } from "~/ui/icon";
import { VisuallyHidden } from "~/ui/visually-hidden";
import * as styles from "./header.css";
import { type NavKey, navItems } from "./navigation";
import { ThemeChoice } from "./theme-choice";
import { useDismissable } from "./use-dismissable";

export type ShellUser = { email: string };

export type HeaderProps = {
  user: ShellUser | null;
  current?: NavKey;
  /** The sign-out form, supplied by the route that owns it. */
  signOut?: ReactNode;
};

export function Header({ user, current, signOut }: HeaderProps) {
  const visibleItems = navItems.filter((item) => user || !item.signedInOnly);
  const links = (withIcons: boolean) =>
    visibleItems.map(({ key, to, label, icon, isDocument }) => (
      <Link
        key={key}
        to={to}
        prefetch={isDocument ? "none" : "intent"}
        reloadDocument={isDocument}
        className={styles.link}
        aria-current={key === current ? "page" : undefined}
      >
        {withIcons ? <Icon name={icon} /> : null}
        {label}
      </Link>
    ));
  return (
    <header className={styles.header}>
      <Wordmark />
      <nav className={styles.nav} aria-label="Main">
        {links(false)}
        {user ? null : (
          <ButtonLink to={paths.login()} kind="secondary">
            Sign in
          </ButtonLink>
        )}
      </nav>
      <Menu user={user} signOut={signOut} links={links(true)} />
    </header>
  );
}

type MenuProps = Pick<HeaderProps, "user" | "signOut"> & { links: ReactNode };

/**
 * A native <details>, so it opens without JavaScript. The `key` closes it on another page. A page that only renews its
 * data, such as a price, leaves it open.
 */
function Menu({ user, signOut, links }: MenuProps) {
  const page = useMatches().at(-1)?.id;
  const ref = useDismissable();
  return (
    <details key={page} ref={ref} className={user ? styles.menu : `${styles.menu} ${styles.phoneOnly}`}>
      <summary className={styles.summary}>
        <VisuallyHidden>{user ? "Menu and account" : "Menu"}</VisuallyHidden>
        <span className={styles.phoneOnly} aria-hidden="true">
          Menu
        </span>
        {user ? (
          <span className={styles.initial} aria-hidden="true">
            {user.email.slice(0, 1).toUpperCase()}
          </span>
        ) : null}
      </summary>
      <div className={styles.panel}>
        <nav className={styles.panelNav} aria-label="Main menu">
          {links}
          {user ? null : (
            <ButtonLink to={paths.login()} kind="secondary">
              Sign in
            </ButtonLink>
          )}
        </nav>
        {user ? (
          <>
            <p className={styles.email}>
              Signed in as <span className={styles.emailName}>{user.email}</span>
            </p>
            <Link to={paths.account} prefetch="intent" className={styles.link}>
              <Icon name="key" />
              Account
            </Link>
          </>
        ) : null}
        <ThemeChoice />
        {user ? signOut : null}
      </div>
    </details>
  );
}
