import type { LoaderFunctionArgs } from "@remix-run/node";
import { ApiError, isUnavailable } from "~/api/errors";
import { withSessionCookies } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";

const headers = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };

/**
 * Passes the exchange's event stream for an order to the browser. An EventSource cannot send the
 * access token, so this route takes it from the session. Errors keep their status: an EventSource
 * then stops, and the page polls instead.
 */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  // For a data request, Remix would wait for the stream to end.
  if (args.context.isDataRequest) return new Response(null, { status: 404 });
  const scope = await getScope(args);
  if (!scope.isPasskeyAuthenticated) return withSessionCookies(args, new Response(null, { status: 401 }));
  const { orderId = "" } = args.params;
  let stream: Response;
  try {
    if (args.request.method === "HEAD") {
      // Remix would drop the body of a stream without closing it.
      await scope.api.getOrder(orderId);
      return withSessionCookies(args, new Response(null, { headers }));
    }
    stream = await scope.api.orderEvents(orderId, args.request.headers.get("last-event-id"));
  } catch (error) {
    const status = isUnavailable(error) ? 503 : error instanceof ApiError ? error.status : null;
    if (status === null) throw error;
    return withSessionCookies(args, new Response(null, { status }));
  }
  return withSessionCookies(args, new Response(endOnAbort(args.request.signal, stream.body), { headers }));
}

/** Cancels the stream when the browser disconnects: the exchange limits the number of listeners. */
function endOnAbort(signal: AbortSignal, body: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> | null {
  if (!body) return null;
  const reader = body.getReader();
  const cancel = () => reader.cancel().catch(() => undefined);
  if (signal.aborted) void cancel();
  else signal.addEventListener("abort", () => void cancel(), { once: true });
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || value === undefined) controller.close();
      else controller.enqueue(value);
    },
    cancel,
  });
}
