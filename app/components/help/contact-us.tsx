import { paths } from "~/lib/paths";
import { useSiteTerms } from "~/loaded-data/root-data";
import * as styles from "./help.css";

/** The end of a help page: what to do if the page did not help. */
export function ContactUs() {
  const { supportEmail } = useSiteTerms();
  return (
    <p className={styles.contact}>
      {supportEmail === null ? (
        <>
          Is something not working? Check the <a href={paths.status}>status</a> of our service.
        </>
      ) : (
        <>
          Still stuck? <a href={paths.contact()}>Write to us</a>, or check the <a href={paths.status}>status</a> of our
          service.
        </>
      )}
    </p>
  );
}
