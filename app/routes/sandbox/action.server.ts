import { data } from "@remix-run/node";
import { z } from "zod";
import type { Done, Refused } from "~/lib/form-result";
import { parseForm } from "~/session/parse-form.server";
import { siteAction } from "~/session/site-action.server";
import { payMob, requireSandbox, type SandboxExchange, sendFromFaucet } from "./embedded-sandbox.server";

/** The result of one of the page's two forms. `hash` is the transaction's, and `values` are what was submitted. */
export type SandboxResult = { intent: "faucet" | "pay" } & (Refused | (Done & { hash: string })) &
  Pick<Refused, "values">;

const addressMessage = "Enter the address to send to.";
const address = z.string({ required_error: addressMessage }).trim().min(1, addressMessage);
const amountMessage = "Enter an amount, such as 250 or 0.5.";
/** With commas between thousands. Any other comma is refused, because it may be a decimal comma. */
const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const amount = z
  .string({ required_error: amountMessage })
  .trim()
  .transform((text) => (grouped.test(text) ? text.replaceAll(",", "") : text))
  .refine((text) => text !== "", amountMessage);
const asset = z.enum(["USDT", "ETH"], { errorMap: () => ({ message: "Choose USDT or ETH." }) });

const formSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("faucet"), address, amount, asset }),
  z.object({ intent: z.literal("pay"), address, amount }),
]);

/** Posts to the faucet and payments from the wallet. Both work without JavaScript. */
export const action = siteAction(async ({ request, context }) => {
  const result = await runIntent(await requireSandbox(), request, context.remoteAddress);
  return data(result, { status: result.kind === "done" ? 200 : 422 });
});

/** @throws a 400 response for any other form */
export async function runIntent(
  exchange: SandboxExchange,
  request: Request,
  remoteAddress?: string,
): Promise<SandboxResult> {
  const form = await parseForm(formSchema, request);
  if (!form.ok) {
    const intent = form.values.intent === "pay" ? "pay" : "faucet";
    return { intent, kind: "refused", values: form.values, fields: form.fields };
  }
  switch (form.values.intent) {
    case "faucet": {
      const { intent, ...values } = form.values;
      const sent = await sendFromFaucet(exchange, values, { remoteAddress });
      return toResult({ intent, values }, `${values.amount} ${values.asset} sent and confirmed`, sent);
    }
    case "pay": {
      const { intent, ...values } = form.values;
      const sent = await payMob(exchange, values, { remoteAddress });
      return toResult({ intent, values }, `${values.amount} MOB paid and confirmed`, sent);
    }
  }
}

function toResult(
  { intent, values }: Pick<SandboxResult, "intent"> & Pick<Refused, "values">,
  text: string,
  sent: { hash: string } | { error: string },
): SandboxResult {
  if ("error" in sent) return { intent, kind: "refused", values, error: sent.error };
  return { intent, kind: "done", values, text, hash: sent.hash };
}
