import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Landscape } from "~/components/brand/landscape";
import { Badge } from "~/ui/badge";
import { SkipLink } from "~/ui/skip-link";
import { Header, type HeaderProps } from "./header";
import { PageEnd } from "./page-end";
import * as styles from "./page-shell.css";
import { UnansweredToast } from "./unanswered-toast";

export type PageShellProps = HeaderProps & {
  children: ReactNode;
  /** Money that is none: said on every page of a sandbox. */
  sandbox?: boolean;
};

/** What stands round every screen of the layout. It is told everything and fetches nothing. */
export function PageShell({ children, sandbox, ...header }: PageShellProps) {
  return (
    <div className={styles.frame}>
      <SkipLink />
      <Header {...header} />
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <Landscape />
      <footer className={styles.footer}>
        <Link className={styles.footerLink} to="/vegas" prefetch="none">
          Rates and status
        </Link>
        <Link className={styles.footerLink} to="/welcome/1" prefetch="intent">
          How it works
        </Link>
        {sandbox ? (
          <span className={styles.footerEnd}>
            <Badge tone="waiting">Sandbox: play money</Badge>
          </span>
        ) : null}
      </footer>
      <UnansweredToast />
      <PageEnd />
    </div>
  );
}
