import { Form } from "@remix-run/react";
import { RefusalNote } from "~/components/results/refusal-note";
import type { NamedVersion } from "~/lib/consent";
import type { CountryOption } from "~/lib/countries";
import type { Refused } from "~/lib/form-result";
import { useRootData } from "~/loaded-data/root-data";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { Select } from "~/ui/select";
import { TextField } from "~/ui/text-field";
import { useErrorFocus } from "~/ui/use-error-focus";
import { ConsentSentence } from "./consent-sentence";
import * as styles from "./kyc.css";
import { useUnsentDetails } from "./use-unsent-details";

const documents = [
  { value: "passport", label: "Passport" },
  { value: "id_card", label: "Identity card" },
  { value: "driving_licence", label: "Driving licence" },
];

/** In the sandbox, visitors should not enter real details. */
const example: Record<string, string> = {
  first_name: "Ada",
  last_name: "Lovelace",
  date_of_birth: "1990-12-10",
  country: "GB",
  document_number: "AB 1234567",
};

type Props = {
  action: string;
  email: string;
  countries: readonly CountryOption[];
  /** Whether the customer has applied before. */
  reapplying: boolean;
  /** The versions of the documents that the customer accepts with the form. */
  versions: readonly NamedVersion[];
  result: Refused | undefined;
};

export function KycForm({ action, email, countries, reapplying, versions, result }: Props) {
  const isSending = useIsSending();
  const form = useErrorFocus(result);
  const isPlayMoney = useRootData()?.isPlayMoney;
  const { details, ...unsent } = useUnsentDetails(email, form);
  const { values = details ?? (isPlayMoney ? example : {}), fields = {} } = result ?? {};

  return (
    <Form method="post" action={action} ref={form} {...unsent}>
      <Stack gap={4}>
        <h2 className={text.heading}>Your details, exactly as on your document</h2>
        {reapplying ? (
          <p className={text.muted}>
            The details you sent before are stored encrypted, and we never display them again.
          </p>
        ) : null}
        {isPlayMoney ? (
          <p className={text.muted}>This is a sandbox: the details are an example. Don't enter your own.</p>
        ) : null}
        <RefusalNote result={result} />
        <div className={styles.pair}>
          <TextField
            label="First name"
            name="first_name"
            autoComplete="given-name"
            required
            maxLength={100}
            defaultValue={values.first_name}
            error={fields.first_name}
          />
          <TextField
            label="Last name"
            name="last_name"
            autoComplete="family-name"
            required
            maxLength={100}
            defaultValue={values.last_name}
            error={fields.last_name}
          />
        </div>
        <div className={styles.pair}>
          <TextField
            label="Date of birth"
            name="date_of_birth"
            type="date"
            autoComplete="bday"
            required
            defaultValue={values.date_of_birth}
            error={fields.date_of_birth}
          />
          <Select
            label="Country that issued the document"
            name="country"
            autoComplete="country"
            required
            defaultValue={values.country ?? ""}
            options={[{ value: "", label: "Choose…" }, ...countries]}
            error={fields.country}
          />
        </div>
        <div className={styles.pair}>
          <Select
            label="Document"
            name="document_type"
            required
            defaultValue={values.document_type ?? "passport"}
            options={documents}
            error={fields.document_type}
          />
          <TextField
            label="Document number"
            name="document_number"
            autoComplete="off"
            spellCheck={false}
            required
            minLength={3}
            maxLength={40}
            defaultValue={values.document_number}
            error={fields.document_number}
          />
        </div>
        {versions.length > 0 ? <ConsentSentence versions={versions} /> : null}
        <Button
          kind="primary"
          size="large"
          full
          name="intent"
          value="apply"
          pending={isSending({ intent: "apply" }) && "Sending…"}
        >
          Send for verification
        </Button>
      </Stack>
    </Form>
  );
}
