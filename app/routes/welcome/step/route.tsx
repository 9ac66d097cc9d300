import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { ApiError, ApiUnreachableError } from "~/api/errors";
import { createExchangeClient } from "~/api/exchange.server";
import { parseStep, stepTitles } from "~/components/welcome/steps";
import { type Terms, toTerms } from "~/components/welcome/terms";
import { WelcomePage } from "~/components/welcome/welcome-page";
import { readLocale } from "~/lib/locale";
import type { loader as rootLoader } from "~/root";
import { raiseNotFound } from "~/session/responses.server";
import { whenItMayHaveChanged } from "~/session/should-revalidate";
import * as quoteAndLock from "./a-quote-and-a-lock";
import * as getHelp from "./how-to-get-help";
import * as lateOrNotRight from "./late-or-not-right";
import * as twoCoins from "./the-two-coins";
import * as turnOnPayments from "./turn-on-payments";
import * as swap from "./what-a-swap-is";
import * as signal from "./what-signal-is";
import * as address from "./where-your-address-is";
import * as whyWeAsk from "./why-we-ask";

const steps = [swap, twoCoins, signal, turnOnPayments, address, whyWeAsk, quoteAndLock, lateOrNotRight, getHelp];
const stepsWithTerms = new Set([7, 8]);

/** R04: /welcome/1 … /welcome/9; any other is not found. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const step = parseStep(params.step) ?? raiseNotFound();
  return { step, terms: stepsWithTerms.has(step) ? await getTerms(request, context?.remoteAddress) : null };
}

export const shouldRevalidate = whenItMayHaveChanged;

/** The numbers are worth saying and no reason to fail: without them the words stand alone. */
async function getTerms(request: Request, remoteAddress: string | undefined): Promise<Terms | null> {
  try {
    const rates = await createExchangeClient({ accessToken: () => null, remoteAddress }).getRates();
    return toTerms(rates, readLocale(request.headers).numbers);
  } catch (error) {
    if (error instanceof ApiError || error instanceof ApiUnreachableError) return null;
    throw error;
  }
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${(data && stepTitles[data.step - 1]) ?? "Welcome"} · Antelope` },
  { name: "description", content: "Swapping USDT and MOB explained in nine short steps, for who never held a coin." },
];

export default function Step() {
  const { step, terms } = useLoaderData<typeof loader>();
  const sandbox = useRouteLoaderData<typeof rootLoader>("root")?.sandbox === true;
  const content = steps[step - 1];
  if (!content) return null;
  const { Drawing, Words } = content;
  return (
    <WelcomePage step={step} title={stepTitles[step - 1] ?? ""} drawing={<Drawing />}>
      <Words terms={terms} sandbox={sandbox} />
    </WelcomePage>
  );
}
