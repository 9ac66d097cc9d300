import type { LoaderFunctionArgs } from "@remix-run/node";
import { isApiError } from "~/api/errors";
import { paths, withParams } from "~/lib/paths";
import { requirePasskeyForKyc } from "~/session/guards.server";
import { replaceWith, unwrapOrThrow, withSessionCookies } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";

/** Everything that we keep of the customer, as a zip. What they must do first is said on the account page. */
export async function loader(args: LoaderFunctionArgs) {
  await requirePasskeyForKyc(args);
  const { api } = await getScope(args);
  try {
    const { body } = await api.exportData();
    const day = new Date().toISOString().slice(0, 10);
    return await withSessionCookies(
      args,
      new Response(body, {
        headers: {
          "Content-Type": "application/zip",
          "Content-Disposition": `attachment; filename="antelope-data-${day}.zip"`,
        },
      }),
    );
  } catch (error) {
    const refusal = isApiError(error, 403) ? "confirm" : isApiError(error, 429) ? "later" : null;
    if (refusal === null) return unwrapOrThrow(Promise.reject(error));
    throw await replaceWith(args, `${withParams(paths.doger, { data: refusal })}#your-data`);
  }
}
