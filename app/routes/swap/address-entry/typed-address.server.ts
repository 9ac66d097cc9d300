import type { EnsName } from "~/api/contract";
import { toErrorText } from "~/api/errors";
import type { AddressType } from "~/lib/assets";
import { withoutInvisible } from "~/lib/one-line";
import { toRefusal } from "~/session/responses.server";
import type { RequestScope } from "~/session/scope.server";

/** An address or a name as it was typed or pasted: with spaces, because we show addresses in groups of characters. */
export function toPastedAddress(text: string): string {
  return withoutInvisible(text).replace(/\s+/g, "").slice(0, 512);
}

/**
 * Looks up what a visitor typed if it is a name such as alice.eth. Null if it is not a name, or if the exchange does
 * not look up names: it then refuses the text as an address, and says why.
 */
export async function findTypedName(
  api: RequestScope["api"],
  type: AddressType,
  text: string,
): Promise<{ resolved: EnsName } | { error: string } | null> {
  if (type !== "ETH" || !/\.eth$/i.test(text)) return null;
  try {
    return { resolved: await api.findEnsAddress(text) };
  } catch (error) {
    const refusal = toRefusal(error);
    return refusal.status === 404 ? null : { error: toErrorText(refusal) };
  }
}
