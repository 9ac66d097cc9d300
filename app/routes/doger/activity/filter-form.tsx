import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { longestSearch, type OrderGroup } from "~/lib/order-filters";
import { paths } from "~/lib/paths";
import { Button, ButtonLink } from "~/ui/button";
import { Disclosure } from "~/ui/disclosure";
import { Row } from "~/ui/layout";
import { Select } from "~/ui/select";
import { TextField } from "~/ui/text-field";
import { useErrorFocus } from "~/ui/use-error-focus";
import * as styles from "../doger.css";
import { type FilterErrors, type Filters, isFiltered } from "./filters";

const stateLabels: Record<OrderGroup, string> = {
  active: "In progress",
  needs_decision: "Needs my decision",
  completed: "Done",
  refunded: "Refunded",
  unpaid: "Unpaid or cancelled",
};
const states = [
  { value: "", label: "Any" },
  ...Object.entries(stateLabels).map(([value, label]) => ({ value, label })),
];
const directions = [
  { value: "", label: "Both" },
  { value: "usdt-to-mob", label: "From USDT" },
  { value: "mob-to-usdt", label: "From MOB" },
];

type Props = { filters: Filters; errors: FilterErrors };

/** Searches and filters the swaps. A GET form, so that the URL names the result and it works without scripts. */
export function FilterForm({ filters, errors }: Props) {
  const { formData } = useNavigation();
  const { q, state, direction, since, until } = filters;
  // What was refused, not the errors: loading the page's data again must not move the focus.
  const form = useErrorFocus([errors.q && q, errors.until && until].filter(Boolean).join());

  // The back button and "Show all swaps" change the filters while the form keeps what was typed. What was typed before the
  // page was hydrated stays.
  const isFirst = useRef(true);
  useEffect(() => {
    const values = isFirst.current ? {} : { q, state, direction, since, until };
    isFirst.current = false;
    for (const [name, value] of Object.entries(values)) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value ?? "";
    }
  }, [form, q, state, direction, since, until]);

  return (
    <Disclosure summary="Search and filter" open={isFiltered(filters)}>
      <Form ref={form} role="search" action={paths.doger} className={styles.filters} preventScrollReset>
        <div className={styles.wholeRow}>
          <TextField
            label="Search"
            hint="A swap number, or the beginning of a transaction hash or an address."
            type="search"
            name="q"
            defaultValue={q}
            maxLength={longestSearch}
            autoComplete="off"
            spellCheck={false}
            error={errors.q}
          />
        </div>
        <Select label="Status" name="state" options={states} defaultValue={state ?? ""} />
        <Select label="Direction" name="direction" options={directions} defaultValue={direction ?? ""} />
        <TextField label="First day" type="date" name="since" min="2000-01-01" defaultValue={since ?? ""} />
        <TextField
          label="Last day"
          type="date"
          name="until"
          min="2000-01-01"
          defaultValue={until ?? ""}
          error={errors.until}
        />
        <Row gap={3} className={styles.wholeRow}>
          <Button pending={formData?.has("since") && "Searching…"}>Show matching swaps</Button>
          {isFiltered(filters) ? (
            <ButtonLink to={paths.doger} kind="quiet" preventScrollReset>
              Clear
            </ButtonLink>
          ) : null}
        </Row>
      </Form>
    </Disclosure>
  );
}
