import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { isApiError } from "~/api/errors";
import { DrinkingAntelope } from "~/components/brand/drinking-antelope";
import { Page } from "~/components/shell/arrangements";
import { paths } from "~/lib/paths";
import { parseAddressType } from "~/lib/search-params";
import { changing, throughCache } from "~/session/client-cache";
import { requirePasskey } from "~/session/guards.server";
import { orRaise, replaceWith } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { whenItMayHaveChanged } from "~/session/should-revalidate";
import { readForm, siteAction } from "~/session/site-action.server";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { Row, Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { SegmentedLinks } from "~/ui/segmented-links";
import { AddressRow } from "./address-row";
import * as styles from "./delivery-addresses.css";

/** R10 */
export async function loader(args: LoaderFunctionArgs) {
  await requirePasskey(args);
  const addressType = parseAddressType(new URL(args.request.url).searchParams);
  const scope = await getScope(args);
  return { addressType, addresses: await orRaise(scope.api.listAddresses(addressType ?? undefined)) };
}

export const action = siteAction(async (args): Promise<{ error: string } | Response> => {
  await requirePasskey(args);
  const { intent, id } = await readForm(args.request);
  if (intent !== "remove" || !id) throw new Response(null, { status: 400 });
  const scope = await getScope(args);
  try {
    await scope.api.removeAddress(id);
  } catch (error) {
    // It is gone already: another tab was faster.
    if (!isApiError(error, 404)) {
      if (isApiError(error)) return { error: error.message };
      throw error;
    }
  }
  const addressType = parseAddressType(new URL(args.request.url).searchParams);
  return replaceWith(args, paths.deliveryAddresses({ addressType }));
});

export const clientLoader = throughCache("routes/swap/delivery-addresses/route", "deliveryAddress");

export const shouldRevalidate = whenItMayHaveChanged;

export const clientAction = changing("deliveryAddress");

export const meta: MetaFunction = () => [{ title: "Addresses · Antelope" }];

export default function DeliveryAddresses() {
  const { addressType, addresses } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const here = paths.deliveryAddresses({ addressType });
  return (
    <Page title="Your addresses" lede="Where swaps are paid to, and where money comes back to.">
      <Stack gap={4} className={styles.list}>
        <Row justify="between">
          <SegmentedLinks
            label="Which addresses"
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
        {result?.error ? <Note tone="danger" title={result.error} live /> : null}
        <Card roomy>
          {addresses.length === 0 ? (
            <EmptyState
              picture={<DrinkingAntelope size="medium" />}
              title={addressType === null ? "No address saved yet" : `No ${names[addressType]} address saved yet`}
              action={
                <ButtonLink to={paths.addDeliveryAddress({ addressType, redirect: here })} kind="primary" size="large">
                  Add an address
                </ButtonLink>
              }
            >
              Save the address of your Signal wallet and of your Ethereum wallet once, and choose them by name from then
              on.
            </EmptyState>
          ) : (
            <ul className={styles.rows}>
              {addresses.map((address) => (
                <AddressRow key={address.id} address={address} action={here} />
              ))}
            </ul>
          )}
        </Card>
      </Stack>
    </Page>
  );
}

const names = { MOB: "MobileCoin", ETH: "Ethereum" };
