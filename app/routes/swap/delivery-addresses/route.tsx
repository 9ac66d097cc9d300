import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { toErrorText } from "~/api/errors";
import { Antelope } from "~/components/brand/antelope";
import { RefusalNote } from "~/components/results/refusal-note";
import { Page } from "~/components/shell/layouts";
import type { Refused } from "~/lib/form-result";
import { paths } from "~/lib/paths";
import { parseAddressType } from "~/lib/search-params";
import { useActionResult } from "~/loaded-data/use-action-result";
import { cachedLoader, invalidates } from "~/query-cache/cached-loader";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { requirePasskey, withGuard } from "~/session/guards.server";
import { requireForm } from "~/session/parse-form.server";
import { replaceWith, toRefusal, unwrapOrThrow } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { siteAction } from "~/session/site-action.server";
import { addressTypeNames } from "~/swaps/saved-address";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { Row, Stack } from "~/ui/layout";
import { PlainList } from "~/ui/plain-list";
import { SegmentedLinks } from "~/ui/segmented-links";
import { AddressRow } from "./address-row";
import * as styles from "./delivery-addresses.css";

/** R10: the saved addresses. */
export async function loader(args: LoaderFunctionArgs) {
  const addressType = parseAddressType(new URL(args.request.url).searchParams);
  const { api } = await getScope(args);
  const [, addresses] = await withGuard(args, requirePasskey, () =>
    unwrapOrThrow(api.listAddresses(addressType ?? undefined)),
  );
  return { addressType, addresses };
}

const formSchema = z.object({ intent: z.literal("remove"), id: z.string().min(1) });

export const action = siteAction(async (args): Promise<Refused | Response> => {
  await requirePasskey(args);
  const { id } = await requireForm(formSchema, args.request);
  const scope = await getScope(args);
  try {
    await scope.api.removeAddress(id);
  } catch (error) {
    const refusal = toRefusal(error);
    // 404: it was removed in another tab.
    if (refusal.status !== 404) return { kind: "refused", error: toErrorText(refusal) };
  }
  const addressType = parseAddressType(new URL(args.request.url).searchParams);
  return replaceWith(args, paths.deliveryAddresses({ addressType }));
});

export const clientLoader = cachedLoader("routes/swap/delivery-addresses/route", ["deliveryAddress"]);

export const shouldRevalidate = revalidationPolicy;

export const clientAction = invalidates("deliveryAddress");

export const meta: MetaFunction = () => [{ title: "Addresses · Antelope" }];

export default function DeliveryAddresses() {
  const { addressType, addresses } = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  const here = paths.deliveryAddresses({ addressType });
  return (
    <Page title="Your addresses" lede="Where we pay out your swaps, and where we send refunds.">
      <Stack gap={4} className={styles.list}>
        <Row justify="between">
          <SegmentedLinks
            label="Filter by type"
            links={[
              { to: paths.deliveryAddresses(), label: "All", current: addressType === null },
              {
                to: paths.deliveryAddresses({ addressType: "MOB" }),
                label: "MobileCoin",
                current: addressType === "MOB",
              },
              {
                to: paths.deliveryAddresses({ addressType: "ETH" }),
                label: "Ethereum",
                current: addressType === "ETH",
              },
            ]}
          />
          {addresses.length > 0 ? (
            <ButtonLink to={paths.addDeliveryAddress({ addressType, redirect: here })} kind="primary">
              Add an address
            </ButtonLink>
          ) : null}
        </Row>
        <RefusalNote result={result} />
        <Card roomy>
          {addresses.length === 0 ? (
            <EmptyState
              illustration={<Antelope pose="drinking" />}
              title={
                addressType === null
                  ? "No saved addresses yet"
                  : `No saved ${addressTypeNames[addressType]} addresses yet`
              }
              action={
                <ButtonLink to={paths.addDeliveryAddress({ addressType, redirect: here })} kind="primary" size="large">
                  Add an address
                </ButtonLink>
              }
            >
              Save the addresses of your Signal and Ethereum wallets once, then choose them by name for every swap.
            </EmptyState>
          ) : (
            <PlainList className={styles.rows}>
              {addresses.map((address) => (
                <AddressRow key={address.id} address={address} action={here} />
              ))}
            </PlainList>
          )}
        </Card>
      </Stack>
    </Page>
  );
}
