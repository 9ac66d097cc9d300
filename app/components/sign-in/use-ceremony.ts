import { useFetcher, useSubmit } from "@remix-run/react";
import { startTransition, useEffect, useId, useRef, useState } from "react";
import type { CeremonyKind } from "~/browser/credentials";
import { clearStoredPasskey } from "~/browser/stored-passkey";
import { type Done, toRefused } from "~/lib/form-result";
import { useLatestRef } from "~/loaded-data/use-latest-ref";
import { type NoResponse, noResponse } from "~/query-cache/failures";
import type { CeremonyOptions, SignInRefused } from "~/sign-in/sign-in-result";
import { ceremonyFailures } from "./ceremony-failures";

type Options = CeremonyOptions["options"];

/** How a ceremony ends. /doger says what was done; the sign-in pages redirect instead. */
export type CeremonyResult = SignInRefused | Done;

/** Resolves with the credential. Closes the browser's dialog and rejects when `signal` aborts. */
type OpenDialog = (options: Options, signal: AbortSignal) => Promise<unknown>;

export type CeremonyState =
  | { step: "idle" | "requesting" | "confirming" | "verifying" }
  /** Ended by the server's response to a form, by a form without a response, or because the dialog failed. */
  | { step: "ended"; at: Form | "dialog"; result: CeremonyResult };

type Form = "options" | "verify";

/** What an action returns for a form of a ceremony. */
type Data = CeremonyOptions | CeremonyResult | NoResponse;

/** The last form that was posted. `failed`: the dialog that it opened failed. */
type Posted = { form: Form; fetcherKey: string; failed?: CeremonyState & { step: "ended" } };

type Ceremony = {
  state: CeremonyState;
  /** Begins an attempt. Its dialog replaces the one before. `fields`: what the form contains besides its intent. */
  start(fields: Record<string, string>, openDialog: OpenDialog): void;
};

/**
 * A WebAuthn ceremony: gets the options from the route's action (`{kind}-options`), opens the browser's dialog and posts
 * the credential to the action (`{kind}-verify`), which redirects on success. Leaving the page ends it.
 */
export function useCeremony(kind: CeremonyKind | "autofill", action: string): Ceremony {
  const failures = ceremonyFailures[kind === "autofill" ? "passkey" : kind];
  const id = useId();
  const [posted, setPosted] = useState<Posted>({ form: "options", fetcherKey: `${id}0` });
  const { state: fetcherState, data } = useFetcher<Data>({ key: posted.fetcherKey });
  const submit = useSubmit();
  const count = useRef(0);
  const openDialog = useRef<OpenDialog>();
  /** The options that the dialog was last opened with, and what closes it. */
  const opened = useRef<{ options: Options; closing: AbortController }>();
  // Changes with the amount that the visitor types on /login.
  const target = useLatestRef(action);

  /** Posts with a fetcher of its own, because a fetcher keeps the data of its last form. */
  const post = (form: Form, fields: Record<string, string>) => {
    const fetcherKey = `${id}${++count.current}`;
    submit(
      { intent: `${kind}-${form}`, ...fields },
      { method: "post", action: target.current, navigate: false, fetcherKey },
    );
    // In a transition, as Remix updates the fetcher, so that the step before lasts until the fetcher is busy.
    startTransition(() => setPosted({ form, fetcherKey }));
  };

  // No dependency array: on slow devices, React 18 sometimes skipped an effect that depended on a fetcher's
  // data, and the button did nothing. `opened` ensures that each set of options is used once.
  useEffect(() => {
    const options = isOptions(data) ? data.options : undefined;
    if (!options || !openDialog.current || opened.current?.options === options) return;
    opened.current?.closing.abort();
    const closing = new AbortController();
    opened.current = { options, closing };
    openDialog
      .current(options, closing.signal)
      .then((credential) => post("verify", { credential: JSON.stringify(credential) }))
      .catch((error: unknown) => {
        if (closing.signal.aborted) return;
        const failed = { step: "ended", at: "dialog", result: failures.dialog(error) } as const;
        setPosted((now) => ({ ...now, failed }));
      });
  });
  useEffect(() => () => opened.current?.closing.abort(), []);

  const state = toState(fetcherState !== "idle", data, posted, failures);
  const result = state.step === "ended" ? state.result : null;
  useEffect(() => {
    if (toRefused(result)?.clearStoredPasskey) clearStoredPasskey();
  }, [result]);

  return {
    state,
    start(fields, open) {
      openDialog.current = open;
      post("options", fields);
    },
  };
}

function isOptions(data: Data | undefined): data is CeremonyOptions {
  return data !== undefined && data !== noResponse && data.kind === "options";
}

function toState(
  isSending: boolean,
  data: Data | undefined,
  { form, failed }: Posted,
  failures: Record<Form, SignInRefused>,
): CeremonyState {
  if (isSending) return { step: form === "options" ? "requesting" : "verifying" };
  if (failed) return failed;
  if (data === undefined) return { step: "idle" };
  if (isOptions(data)) return { step: "confirming" };
  return { step: "ended", at: form, result: data === noResponse ? failures[form] : data };
}
