import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type ApiError, isApiError } from "~/api/errors";
import { Antelope } from "~/components/brand/antelope";
import { HelpLinks } from "~/components/help/help-links";
import { Narrow } from "~/components/shell/layouts";
import { withoutScripts } from "~/components/shell/use-scripts";
import { invalidEmailMessage } from "~/lib/email";
import type { FieldErrors, Refused } from "~/lib/form-result";
import { isVisible, toLines, withoutInvisible } from "~/lib/one-line";
import { paths, withParams } from "~/lib/paths";
import { useSiteTerms } from "~/loaded-data/root-data";
import { parseForm } from "~/session/parse-form.server";
import { redirectTo } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { siteAction } from "~/session/site-action.server";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { Stack } from "~/ui/layout";
import { ContactForm, longestMessage } from "./contact-form";

const wrongSwap = "Enter the number exactly as it appears on the swap's page, such as 1CRT-8K55-KRE.";
const noMessage = "Tell us what you need help with.";
const longMessage = "Your message must be 4,000 characters or fewer.";

/** `swap` is the number of the swap that the visitor comes from; `sent` is set after a message was sent. */
export async function loader(args: LoaderFunctionArgs) {
  const { searchParams } = new URL(args.request.url);
  const user = await (await getScope(args)).getUser().catch(() => null);
  return {
    email: user?.email ?? null,
    swap: (searchParams.get("swap") ?? "").slice(0, 20),
    isSent: searchParams.has("sent"),
  };
}

const formSchema = z.object({
  email: z
    .string()
    .transform((text) => withoutInvisible(text).trim())
    .pipe(z.string().max(254, invalidEmailMessage).email(invalidEmailMessage))
    .optional(),
  swap: z.string().trim().max(20, wrongSwap),
  // As the exchange reads the message. A browser sends two characters for a line break, but counts it as one.
  message: z
    .string()
    .max(2 * longestMessage, longMessage)
    .transform(toLines)
    .pipe(z.string().max(longestMessage, longMessage).refine(isVisible, noMessage)),
});

export const action = siteAction(async (args) => {
  const form = await parseForm(formSchema, args.request);
  if (!form.ok) return refuse({ kind: "refused", values: form.values, fields: form.fields });
  const { email, swap, message } = form.values;
  const problem = await send(args, { email, order_number: swap, message });
  if (problem === null) return redirectTo(args, withParams(paths.contact(), { sent: true }));
  return refuse({ kind: "refused", values: form.values, ...problem });
});

function refuse(result: Refused) {
  return data(result, { status: 422 });
}

type Message = { email: string | undefined; order_number: string; message: string };

/** Null if the exchange has accepted the message. */
async function send(
  args: ActionFunctionArgs,
  message: Message,
): Promise<{ error: string } | { fields: FieldErrors } | null> {
  const scope = await getScope(args);
  // A session that has expired is renewed here; the exchange refuses an expired token.
  await scope.getUser().catch(() => null);
  try {
    await scope.api.sendSupportMessage(message);
    return null;
  } catch (error) {
    if (!isApiError(error)) return { error: "We couldn't send your message. Try again in a minute." };
    if (error.status === 429) {
      return {
        error:
          "There have been too many messages from this form in the last hour. Try again later, or send an e-mail instead.",
      };
    }
    const fields = toFields(error);
    if (Object.keys(fields).length > 0) return { fields };
    return { error: "We couldn't send your message. Try again, or send an e-mail instead." };
  }
}

/** The texts of the fields that the exchange refuses. */
const refusedFields = {
  email: ["email", "Enter your e-mail address, so that we can reply."],
  order_number: ["swap", wrongSwap],
  message: ["message", noMessage],
} as const satisfies Record<keyof Message, readonly [field: string, text: string]>;

function toFields(refused: ApiError): FieldErrors {
  const texts = Object.entries(refusedFields).flatMap(([name, text]) => (refused.fields[name] ? [text] : []));
  return Object.fromEntries(texts);
}

export const handle = withoutScripts;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.isSent ? "Message sent · Antelope" : "Contact · Antelope" },
  { name: "description", content: "Write to us about a swap or your account." },
];

export default function Contact() {
  const { email, swap, isSent } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const { supportEmail } = useSiteTerms();
  if (isSent && !result) return <Sent isSignedIn={email !== null} />;
  if (supportEmail === null) return <NoAddress />;
  return (
    <Narrow title="Write to us" lede="We reply by e-mail.">
      <Card roomy as="div">
        <Stack gap={4}>
          <ContactForm email={email} swap={swap} supportEmail={supportEmail} result={result} />
          <HelpLinks
            links={[
              { id: "waiting", question: "I have paid. Why is nothing happening?" },
              { id: "scams", question: "How do I recognise a scam?" },
            ]}
          />
        </Stack>
      </Card>
    </Narrow>
  );
}

function Sent({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <Narrow>
      <Card as="div">
        <EmptyState
          illustration={<Antelope pose="leaping" />}
          heading="h1"
          title="We've received your message"
          action={
            <ButtonLink to={isSignedIn ? paths.swap : paths.help} kind="primary" size="large">
              {isSignedIn ? "Back to your swaps" : "Open Help"}
            </ButtonLink>
          }
        >
          <p>
            We reply by e-mail. Our reply contains no links, and never asks for a code, a PIN, a passkey or a recovery
            phrase.
          </p>
        </EmptyState>
      </Card>
    </Narrow>
  );
}

function NoAddress() {
  return (
    <Narrow>
      <Card as="div">
        <EmptyState
          illustration={<Antelope pose="looking" />}
          heading="h1"
          title="This site has no support address"
          action={
            <ButtonLink to={paths.help} kind="primary" size="large">
              Open Help
            </ButtonLink>
          }
        >
          <p>The site's operator hasn't provided one. You can find answers to most questions in Help.</p>
        </EmptyState>
      </Card>
    </Narrow>
  );
}
