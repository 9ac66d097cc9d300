import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { toErrorText } from "~/api/errors";
import { Narrow } from "~/components/shell/layouts";
import { addressTypes, assetSymbols } from "~/lib/assets";
import { toOneLine } from "~/lib/one-line";
import { paths } from "~/lib/paths";
import { parseAddressType, parseRedirect } from "~/lib/search-params";
import { useActionResult } from "~/loaded-data/use-action-result";
import { invalidates, uncachedLoader } from "~/query-cache/cached-loader";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { requirePasskey } from "~/session/guards.server";
import { parseForm } from "~/session/parse-form.server";
import { redirectTo, toRefusal } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { siteAction } from "~/session/site-action.server";
import { Card } from "~/ui/card";
import { readAddressSettings } from "../address-entry/address-settings.server";
import { findTypedName, toPastedAddress } from "../address-entry/typed-address.server";
import { AddressForm, type AddressFormResult } from "./address-form";

/** R11: the form for a new address. */
export async function loader(args: LoaderFunctionArgs) {
  await requirePasskey(args);
  const params = new URL(args.request.url).searchParams;
  return {
    addressType: parseAddressType(params),
    redirect: parseRedirect(params),
    settings: readAddressSettings(),
  };
}

const formSchema = z.object({
  type: z.enum(addressTypes, { errorMap: () => ({ message: "Choose what the address is for." }) }),
  label: z
    .string()
    .transform((label) => label.trim().slice(0, 60))
    .default(""),
  address: z
    .string({ required_error: "Enter an address." })
    .transform(toPastedAddress)
    .refine((address) => address !== "", "Enter an address."),
});

export const action = siteAction(async (args): Promise<AddressFormResult | Response> => {
  await requirePasskey(args);
  const params = new URL(args.request.url).searchParams;
  const form = await parseForm(formSchema, args.request);
  if (!form.ok) return { kind: "refused", values: form.values, fields: form.fields };
  const { values } = form;
  const refused = { kind: "refused", values } as const;
  const { api } = await getScope(args);
  try {
    const found = await findTypedName(api, values.type, values.address);
    if (found && "error" in found) return { ...refused, fields: { address: found.error } };
    if (found) return { kind: "resolved", values: { ...values, address: found.resolved.address }, ...found };
    const { id, label } = await api.addAddress(values);
    // The exchange keeps the name of an address that is already saved.
    if (values.label !== "" && label !== toOneLine(values.label)) {
      return { ...refused, fields: { label: toKnownAddressText(label) } };
    }
    return await redirectTo(args, toNextPath(parseRedirect(params), id));
  } catch (error) {
    const refusal = toRefusal(error);
    const message = toErrorText(refusal);
    if (refusal.status !== 422) return { ...refused, error: message };
    const { type, label, address } = refusal.fields;
    if (type || label) return { ...refused, fields: refusal.fields };
    return { ...refused, fields: { address: address ?? message } };
  }
});

function toKnownAddressText(label: string): string {
  const name = label === "" ? "without a name" : `as “${label}”`;
  return `This address is already saved, ${name}. To use it, leave the name empty. To rename it, remove it from your addresses first.`;
}

/** The page that needed the address, or the list of addresses. Pages that use an address get its ID in `added`. */
function toNextPath(redirect: string | null, id: string): string {
  if (redirect === null) return paths.deliveryAddresses();
  const [path = "", hash] = redirect.split("#", 2);
  const [pathname = "", search] = path.split("?", 2);
  if (!usesAddress(pathname)) return redirect;
  const params = new URLSearchParams(search);
  params.set("added", id);
  return `${pathname}?${params}${hash === undefined ? "" : `#${hash}`}`;
}

function usesAddress(pathname: string): boolean {
  return assetSymbols.some((source) => pathname === paths.direction(source)) || pathname.startsWith(paths.quote(""));
}

export const clientLoader = uncachedLoader("routes/swap/add-delivery-address/route");

export const shouldRevalidate = revalidationPolicy;

export const clientAction = invalidates("deliveryAddress");

export const meta: MetaFunction = () => [{ title: "Add an address · Antelope" }];

const titles = { MOB: "Add a MobileCoin address", ETH: "Add an Ethereum address" };

export default function AddDeliveryAddress() {
  const { addressType, redirect, settings } = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  return (
    <Narrow
      title={addressType ? titles[addressType] : "Add an address"}
      lede="We check the address when you save it, and keep it for your next swap."
    >
      <Card roomy>
        <AddressForm
          action={paths.addDeliveryAddress({ addressType, redirect })}
          back={redirect ?? paths.deliveryAddresses({ addressType })}
          fixedType={addressType}
          settings={settings}
          result={result}
        />
      </Card>
    </Narrow>
  );
}
