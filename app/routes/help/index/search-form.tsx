import * as styles from "~/components/help/help.css";
import { paths } from "~/lib/paths";
import { Button } from "~/ui/button";
import { TextField } from "~/ui/text-field";

/** Searches the help centre. A plain GET form, because the page has no scripts. */
export function SearchForm({ query, maxLength }: { query: string; maxLength: number }) {
  return (
    <search>
      <form action={paths.help} className={styles.search}>
        <TextField label="Search the answers" type="search" name="q" defaultValue={query} maxLength={maxLength} />
        <Button className={styles.submit}>Search</Button>
      </form>
    </search>
  );
}
