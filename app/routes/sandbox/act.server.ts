import { askFaucet, payMob, type requireSandbox } from "./sandbox-calls.server";

/** What the page's forms get back. `values` is what was typed, so that it is not typed twice. */
export type SandboxResult = {
  intent: "faucet" | "pay";
  done: { title: string; hash: string } | null;
  error: string | null;
  values: { address: string; asset: string; amount: string };
};

type SandboxExchange = Awaited<ReturnType<typeof requireSandbox>>;

/** One of the page's two posts, made in this process. Null for a form that is none of the page's. */
export async function act(exchange: SandboxExchange, form: Record<string, string>): Promise<SandboxResult | null> {
  const { intent } = form;
  if (intent !== "faucet" && intent !== "pay") return null;
  const values = {
    address: (form.address ?? "").trim(),
    asset: intent === "pay" ? "MOB" : (form.asset ?? "USDT"),
    // People write thousands with commas; a comma alone stays an error, since it may mean a point.
    amount: (form.amount ?? "").trim().replace(/,(?=\d{3}(?:\D|$))/g, ""),
  };
  const missing = findMissing(values);
  if (missing) return { intent, done: null, error: missing, values };
  const { address, asset, amount } = values;
  const answer =
    intent === "pay"
      ? await payMob(exchange, { address, amount })
      : await askFaucet(exchange, { address, asset, amount });
  if ("error" in answer) return { intent, done: null, error: answer.error, values };
  const title = `${amount} ${asset} ${intent === "pay" ? "paid" : "sent"}, and in a block`;
  return { intent, done: { title, hash: answer.hash }, error: null, values };
}

function findMissing({ address, amount }: SandboxResult["values"]): string | null {
  if (address === "") return "Write the address that it should go to.";
  return amount === "" ? "Write an amount such as 250 or 0.5." : null;
}
