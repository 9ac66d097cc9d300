import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ShouldRevalidateFunction, useLoaderData } from "@remix-run/react";
import { orNullIfUnavailable } from "~/api/errors";
import { WelcomePage } from "~/components/welcome/welcome-page";
import { createPublicClient } from "~/exchange-binding/exchange-client.server";
import { readLocale } from "~/lib/read-locale.server";
import { markIncomplete, throwNotFound } from "~/session/responses.server";
import { steps } from "./steps";
import { type Terms, toTerms } from "./terms";

// Signed-out visitors get this page from memory: server/public-page-request.server.ts.
/** R04: /welcome/1 to /welcome/9; anything else is not found. */
export async function loader(args: LoaderFunctionArgs) {
  const step = parseStep(args.params.step) ?? throwNotFound();
  return { step, terms: steps[step - 1]?.needsTerms ? await getTerms(args) : null };
}

/** The number of a step, if it is written with one digit. */
function parseStep(text = ""): number | null {
  return /^[1-9]$/.test(text) && Number(text) <= steps.length ? Number(text) : null;
}

/**
 * The terms on an open page don't have to be refreshed, so a failed refresh must not replace the page with an error.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentParams, nextParams }) =>
  currentParams.step !== nextParams.step;

/** Null if the exchange is unavailable: the pages also read well without the numbers. */
async function getTerms(args: LoaderFunctionArgs): Promise<Terms | null> {
  const rates = await orNullIfUnavailable(createPublicClient(args).getCurrentRates());
  if (rates !== null) return toTerms(rates, readLocale(args.request.headers).numbers);
  markIncomplete(args);
  return null;
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${(data && steps[data.step - 1]?.title) ?? "Welcome"} · Antelope` },
  { name: "description", content: "How to swap USDT and MOB, explained in nine short steps for beginners." },
];

export default function Step() {
  const { step, terms } = useLoaderData<typeof loader>();
  const content = steps[step - 1];
  if (!content) return null;
  const { Illustration, Content } = content;
  const titles = steps.map(({ title }) => title);
  return (
    // A new page for each step, so that the focus does not stay on "Next".
    <WelcomePage key={step} step={step} titles={titles} illustration={<Illustration />}>
      <Content terms={terms} />
    </WelcomePage>
  );
}
