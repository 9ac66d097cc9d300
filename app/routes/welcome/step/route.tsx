import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ShouldRevalidateFunction, useLoaderData } from "@remix-run/react";
import { orNullIfUnavailable } from "~/api/errors";
import { parseStep, stepTitles } from "~/components/welcome/steps";
import { WelcomePage } from "~/components/welcome/welcome-page";
import { createPublicClient } from "~/exchange-binding/exchange-client.server";
import { readLocale } from "~/lib/read-locale.server";
import { markIncomplete, throwNotFound } from "~/session/responses.server";
import * as findYourAddress from "./find-your-address";
import * as gettingHelp from "./getting-help";
import * as lateOrWrongPayments from "./late-or-wrong-payments";
import * as quotesAndLocks from "./quotes-and-locks";
import { type Terms, toTerms } from "./terms";
import * as turnOnPayments from "./turn-on-payments";
import * as usdtAndMob from "./usdt-and-mob";
import * as whatIsASwap from "./what-is-a-swap";
import * as whatIsSignal from "./what-is-signal";
import * as whyWeVerify from "./why-we-verify";

/** In the order of `stepTitles`. */
const steps = [
  whatIsASwap,
  usdtAndMob,
  whatIsSignal,
  turnOnPayments,
  findYourAddress,
  whyWeVerify,
  quotesAndLocks,
  lateOrWrongPayments,
  gettingHelp,
];
const stepsWithTerms = new Set([7, 8]);

// Signed-out visitors get this page from memory: server/public-page-request.server.ts.
/** R04: /welcome/1 to /welcome/9; anything else is not found. */
export async function loader(args: LoaderFunctionArgs) {
  const step = parseStep(args.params.step) ?? throwNotFound();
  return { step, terms: stepsWithTerms.has(step) ? await getTerms(args) : null };
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
  { title: `${(data && stepTitles[data.step - 1]) ?? "Welcome"} · Antelope` },
  { name: "description", content: "How to swap USDT and MOB, explained in nine short steps for beginners." },
];

export default function Step() {
  const { step, terms } = useLoaderData<typeof loader>();
  const content = steps[step - 1];
  if (!content) return null;
  const { Illustration, Content } = content;
  return (
    // A new page for each step, so that the focus does not stay on "Next".
    <WelcomePage key={step} step={step} title={stepTitles[step - 1] ?? ""} illustration={<Illustration />}>
      <Content terms={terms} />
    </WelcomePage>
  );
}
