import type { LoaderFunctionArgs } from "@remix-run/node";
import { type ApiError, isApiError } from "~/api/errors";
import { toDay } from "~/lib/days";
import { paths, withParams } from "~/lib/paths";
import { readLocale } from "~/lib/read-locale.server";
import { requirePasskey } from "~/session/guards.server";
import { isStartedElsewhere } from "~/session/origin.server";
import { replaceWith, sendFile, throwAsHttpError } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";

/**
 * Everything that we keep about the customer, as a zip. If the download is refused, the account page says what to do
 * first. Only a page of this site can start it: any other link leads to the account page.
 */
export async function loader(args: LoaderFunctionArgs) {
  // A data request would use up an export without showing anything.
  if (args.context.isDataRequest) return new Response(null, { status: 404 });
  const page = `${paths.doger}#your-data`;
  if (isStartedElsewhere(args.request)) throw await replaceWith(args, page);
  await requirePasskey(args, { redirect: page, message: true });
  const { api } = await getScope(args);
  try {
    // HEAD must not use up an export either.
    const body = args.request.method === "HEAD" ? null : (await api.exportData()).body;
    const day = toDay(new Date(), readLocale(args.request.headers).timeZone);
    return await sendFile(args, body, { type: "application/zip", name: `antelope-data-${day}.zip` });
  } catch (error) {
    const refusal = isApiError(error) ? toRefusalParam(error) : null;
    if (refusal === null) return throwAsHttpError(error);
    throw await replaceWith(args, `${withParams(paths.doger, { data: refusal })}#your-data`);
  }
}

function toRefusalParam({ status, code }: ApiError): "confirm" | "later" | "recovered" | null {
  if (code === "recovered_recently") return "recovered";
  return status === 403 ? "confirm" : status === 429 ? "later" : null;
}
