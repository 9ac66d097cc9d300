import type { LoaderFunctionArgs } from "@remix-run/node";
import { ApiError } from "~/api/errors";
import { attached } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";

/**
 * An order's events for the browser: an EventSource can send no token, so this reads the
 * session and hands the exchange's stream on. A refusal keeps its status: the browser then
 * stops listening and the page asks for itself.
 */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const scope = await getScope(args);
  if (!scope.isPasskeyAuthenticated) return attached(args, new Response(null, { status: 401 }));
  const { orderId = "" } = args.params;
  let answer: Response;
  try {
    answer = await scope.api.orderEvents(orderId, args.request.headers.get("last-event-id"));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return attached(args, new Response(null, { status: error.status }));
  }
  const headers = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };
  return attached(args, new Response(until(args.request.signal, answer.body), { headers }));
}

/** Whoever leaves is not written to any more: the exchange counts its listeners. An end is no failure. */
function until(signal: AbortSignal, body: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> | null {
  if (!body) return null;
  const reader = body.getReader();
  const leave = () => reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", () => void leave(), { once: true });
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || value === undefined) controller.close();
      else controller.enqueue(value);
    },
    cancel: leave,
  });
}
