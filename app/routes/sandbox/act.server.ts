import { z } from "zod";
import { parseForm } from "~/session/parse-form.server";
import { payMob, type requireSandbox, sendFromFaucet } from "./sandbox-calls.server";

export type SandboxResult = {
  intent: "faucet" | "pay";
  done: { title: string; hash: string } | null;
  error: string | null;
  /** The submitted values, to fill in the form again. */
  values: { address: string; asset: string; amount: string };
};

type SandboxExchange = Awaited<ReturnType<typeof requireSandbox>>;

const addressMessage = "Enter the address to send to.";
const address = z.string({ required_error: addressMessage }).trim().min(1, addressMessage);
const amountMessage = "Enter an amount, such as 250 or 0.5.";
/** Drops commas between thousands. Any other comma stays and is refused, because it may be a decimal comma. */
const amount = z
  .string({ required_error: amountMessage })
  .transform((text) => text.trim().replace(/,(?=\d{3}(?:\D|$))/g, ""))
  .refine((text) => text !== "", amountMessage);
const asset = z.enum(["USDT", "ETH"], { errorMap: () => ({ message: "Choose USDT or ETH." }) });

const formSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("faucet"), address, amount, asset }),
  z.object({ intent: z.literal("pay"), address, amount }),
]);

/** @throws a 400 response for any other form */
export async function act(exchange: SandboxExchange, request: Request, remoteAddress?: string): Promise<SandboxResult> {
  const form = await parseForm(formSchema, request);
  if (!form.ok) {
    const { intent, address = "", amount = "", asset = "USDT" } = form.submitted;
    const [error = "The form was incomplete."] = Object.values(form.errors);
    return { intent: intent === "pay" ? "pay" : "faucet", done: null, error, values: { address, asset, amount } };
  }
  const { intent, address, amount } = form.values;
  const asset = form.values.intent === "pay" ? "MOB" : form.values.asset;
  const values = { address, asset, amount };
  const result =
    intent === "pay"
      ? await payMob(exchange, { address, amount }, { remoteAddress })
      : await sendFromFaucet(exchange, values, { remoteAddress });
  if ("error" in result) return { intent, done: null, error: result.error, values };
  const title = `${amount} ${asset} ${intent === "pay" ? "paid" : "sent"} and confirmed`;
  return { intent, done: { title, hash: result.hash }, error: null, values };
}
