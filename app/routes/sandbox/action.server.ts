import { data } from "@remix-run/node";
import { z } from "zod";
import type { FieldErrors } from "~/lib/form-result";
import { parseForm } from "~/session/parse-form.server";
import { siteAction } from "~/session/site-action.server";
import { payMob, requireSandbox, sendFromFaucet } from "./embedded-sandbox.server";

export type SandboxResult = {
  intent: "faucet" | "pay";
  done: { title: string; hash: string } | null;
  error: string | null;
  /** What is wrong with each field. */
  fields: FieldErrors;
  /** The submitted values, to fill in the form again. */
  values: { address: string; asset: string; amount: string };
};

type SandboxExchange = Awaited<ReturnType<typeof requireSandbox>>;

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
  return data(result, { status: result.done ? 200 : 422 });
});

/** @throws a 400 response for any other form */
export async function runIntent(
  exchange: SandboxExchange,
  request: Request,
  remoteAddress?: string,
): Promise<SandboxResult> {
  const form = await parseForm(formSchema, request);
  if (!form.ok) {
    const { intent, address = "", amount = "", asset = "USDT" } = form.values;
    const values = { address, asset, amount };
    return { intent: intent === "pay" ? "pay" : "faucet", done: null, error: null, fields: form.fields, values };
  }
  switch (form.values.intent) {
    case "faucet": {
      const { intent, ...values } = form.values;
      return toResult({ intent, values }, "sent", await sendFromFaucet(exchange, values, { remoteAddress }));
    }
    case "pay": {
      const { intent, ...payment } = form.values;
      const values = { ...payment, asset: "MOB" };
      return toResult({ intent, values }, "paid", await payMob(exchange, payment, { remoteAddress }));
    }
  }
}

function toResult(
  form: Pick<SandboxResult, "intent" | "values">,
  verb: "sent" | "paid",
  sent: { hash: string } | { error: string },
): SandboxResult {
  if ("error" in sent) return { ...form, done: null, error: sent.error, fields: {} };
  const title = `${form.values.amount} ${form.values.asset} ${verb} and confirmed`;
  return { ...form, done: { title, hash: sent.hash }, error: null, fields: {} };
}
