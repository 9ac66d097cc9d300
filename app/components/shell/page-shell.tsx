import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Landscape } from "~/components/brand/landscape";
import { paths } from "~/lib/paths";
import { useRootData, useSiteTerms } from "~/loaded-data/root-data";
import { Badge } from "~/ui/badge";
import { SkipLink } from "~/ui/skip-link";
import { FailureToast } from "./failure-toast";
import { Header, type HeaderProps } from "./header";
import { PageEnd } from "./page-end";
import * as styles from "./page-shell.css";

export type PageShellProps = HeaderProps & { children: ReactNode };

/** Pages without React: the browser loads each as a document. */
const toFooterLinks = (hasSupport: boolean): [string, string][] => [
  ["Status", paths.status],
  ["Fees", paths.fees],
  ...(hasSupport ? [["Contact", paths.contact()] satisfies [string, string]] : []),
  ["Terms", paths.legal("terms")],
  ["Privacy", paths.legal("privacy")],
  ["Accessibility", paths.legal("accessibility")],
];

/** The header, footer and background around every screen of the layout. It loads no data itself. */
export function PageShell({ children, ...header }: PageShellProps) {
  const { supportEmail } = useSiteTerms();
  const root = useRootData();
  // Every page says that the money is not real.
  const badge = root?.isPlayMoney ? <Badge tone="waiting">Sandbox: play money</Badge> : null;
  return (
    <div className={styles.frame}>
      <SkipLink />
      <Header {...header} />
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <Landscape />
      <footer className={styles.footer}>
        <Link className={styles.footerLink} to={paths.vegas} prefetch="none" reloadDocument>
          Rates
        </Link>
        <Link className={styles.footerLink} to={paths.welcomeStep(1)} prefetch="intent">
          How it works
        </Link>
        {toFooterLinks(supportEmail !== null).map(([label, href]) => (
          <a key={href} className={styles.footerLink} href={href}>
            {label}
          </a>
        ))}
        {root?.hasSandbox ? (
          <Link className={`${styles.footerLink} ${styles.footerEnd}`} to={paths.sandbox} prefetch="none">
            {badge}
          </Link>
        ) : (
          badge
        )}
      </footer>
      <FailureToast />
      <PageEnd />
    </div>
  );
}
