import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ApiError } from "~/api/errors";
import { Narrow } from "~/components/shell/arrangements";
import { getConfig } from "~/config.server";
import { addressTypes } from "~/lib/assets";
import { errorTexts } from "~/lib/error-catalogue";
import { paths } from "~/lib/paths";
import { parseAddressType, parseRedirect } from "~/lib/search-params";
import { askOnGoing, changing } from "~/session/client-cache";
import { requirePasskey } from "~/session/guards.server";
import { redirectTo } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { whenItMayHaveChanged } from "~/session/should-revalidate";
import { readForm, siteAction } from "~/session/site-action.server";
import { Card } from "~/ui/card";
import { AddressForm, type AddressFormResult } from "./address-form";

/** R11 */
export async function loader(args: LoaderFunctionArgs) {
  await requirePasskey(args);
  const params = new URL(args.request.url).searchParams;
  return {
    addressType: parseAddressType(params),
    redirect: parseRedirect(params),
    sandbox: getConfig().hasSandbox,
    walletRpc: getConfig().walletRpcUrls,
  };
}

export const action = siteAction(async (args): Promise<AddressFormResult | Response> => {
  await requirePasskey(args);
  const params = new URL(args.request.url).searchParams;
  const form = await readForm(args.request);
  const values = {
    type: addressTypes.find((type) => type === form.type) ?? null,
    label: (form.label ?? "").trim().slice(0, 60),
    // It may come in the groups in which addresses are shown.
    address: (form.address ?? "").replace(/\s+/g, "").slice(0, 512),
  };
  if (values.type === null) return { values, fields: { type: "Choose what the address is for." } };
  if (values.address === "") return { values, fields: { address: "Paste or write the address." } };
  try {
    const { id } = await (await getScope(args)).api.addAddress({ ...values, type: values.type });
    return await redirectTo(args, toWayOn(parseRedirect(params), id));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const words = error.detailMessage ?? errorTexts.unknown;
    if (error.status !== 422) return { values, fields: {}, error: words };
    const { type, label, address } = error.fields;
    if (type || label) return { values, fields: { type, label, address } };
    return { values, fields: { address: address ?? words } };
  }
});

/** Back to where it was needed, which is told what was added. */
function toWayOn(redirect: string | null, id: string): string {
  if (redirect === null) return paths.deliveryAddresses();
  const [path = "", hash] = redirect.split("#", 2);
  const [pathname = "", search] = path.split("?", 2);
  if (pathname.startsWith("/swap/deliveryaddress")) return redirect;
  const params = new URLSearchParams(search);
  params.set("added", id);
  return `${pathname}?${params}${hash === undefined ? "" : `#${hash}`}`;
}

export const clientLoader = askOnGoing;

export const shouldRevalidate = whenItMayHaveChanged;

export const clientAction = changing("deliveryAddress");

export const meta: MetaFunction = () => [{ title: "Add an address · Antelope" }];

const titles = { MOB: "Add a MobileCoin address", ETH: "Add an Ethereum address" };

export default function AddDeliveryAddress() {
  const { addressType, redirect, sandbox, walletRpc } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  return (
    <Narrow
      title={addressType ? titles[addressType] : "Add an address"}
      lede="It is checked when you save it, and kept for the next time."
    >
      <Card roomy>
        <AddressForm
          action={paths.addDeliveryAddress({ addressType, redirect })}
          back={redirect ?? paths.deliveryAddresses({ addressType })}
          fixedType={addressType}
          sandbox={sandbox}
          walletRpc={walletRpc}
          result={result}
        />
      </Card>
    </Narrow>
  );
}
