import { Form, Link, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { EnsName } from "~/api/contract";
import { HelpLinks } from "~/components/help/help-links";
import { RefusalNote } from "~/components/results/refusal-note";
import { type AddressType, addressTypes } from "~/lib/assets";
import { type Refused, toRefused } from "~/lib/form-result";
import { paths } from "~/lib/paths";
import { Button, ButtonLink } from "~/ui/button";
import { Disclosure } from "~/ui/disclosure";
import { Row, Stack } from "~/ui/layout";
import { RadioCards } from "~/ui/radio-cards";
import { TextField } from "~/ui/text-field";
import { useErrorFocus } from "~/ui/use-error-focus";
import { AddressEntry } from "../address-entry/address-entry";
import type { AddressSettings } from "../address-entry/address-settings.server";

export type AddressFormResult =
  | Refused
  /** The name that was typed, and its address, which is in `values` now: the visitor confirms it by saving. */
  | { kind: "resolved"; values: Record<string, string>; resolved: EnsName };

type Props = {
  action: string;
  back: string;
  /** Set by the page that linked here. The form then does not ask for the type. */
  fixedType: AddressType | null;
  settings: AddressSettings;
  result: AddressFormResult | undefined;
};

const types = [
  { value: "MOB", label: "MobileCoin", detail: "Receives MOB, in Signal or another MobileCoin wallet." },
  { value: "ETH", label: "Ethereum", detail: "Receives USDT. Starts with 0x." },
];

const toType = (value: unknown) => addressTypes.find((type) => type === value) ?? null;

export function AddressForm({ action, back, fixedType, settings, result }: Props) {
  const navigation = useNavigation();
  const values = result?.values;
  const refused = toRefused(result);
  const [type, setType] = useState(fixedType ?? toType(values?.type));
  const form = useErrorFocus(result);
  // Take over what was chosen before hydration, or restored by the browser.
  useEffect(() => setType(toType(new FormData(form.current ?? undefined).get("type"))), [form]);

  return (
    <Form method="post" action={action} ref={form}>
      <Stack gap={4}>
        <RefusalNote result={refused} />
        {fixedType ? (
          <input type="hidden" name="type" value={fixedType} />
        ) : (
          <RadioCards
            label="What is this address for?"
            name="type"
            required
            options={types}
            defaultValue={values?.type}
            error={refused?.fields?.type}
            onValueChange={(value) => setType(toType(value))}
          />
        )}
        <AddressEntry
          type={type}
          name="address"
          label="Address"
          required
          typed={values?.address}
          error={refused?.fields?.address}
          resolved={result?.kind === "resolved" ? result.resolved : undefined}
          result={result}
          settings={settings}
          submitLabel="Save this address"
        />
        <TextField
          label="Name (optional)"
          name="label"
          maxLength={60}
          autoComplete="off"
          placeholder={type === "ETH" ? "My wallet" : "My Signal"}
          defaultValue={values?.label}
          error={refused?.fields?.label}
        />
        {type === "ETH" ? null : (
          <Disclosure summary="Where do I find my address in Signal?">
            <Stack gap={2}>
              <p>
                On your phone, tap your profile picture, then go to Settings &gt; Payments &gt; Add funds. Copy the
                address and paste it here.
              </p>
              <p>
                Payments not turned on yet? <Link to={paths.welcomeStep("enable-signal")}>How to turn them on</Link>
              </p>
              <HelpLinks inNewTab links={[{ id: "mob-address", question: "Where do I find my MobileCoin address?" }]} />
            </Stack>
          </Disclosure>
        )}
        <Row>
          <Button kind="primary" size="large" pending={navigation.formData?.has("address") && "Checking the address…"}>
            Save this address
          </Button>
          <ButtonLink to={back} kind="quiet" size="large">
            Back
          </ButtonLink>
        </Row>
      </Stack>
    </Form>
  );
}
