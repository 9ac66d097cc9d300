import { z } from "zod";
import type { KycApplication } from "../../api/contract";
import { maxClockSkewMs } from "../../lib/clock-skew";
import { fetchWhole } from "../../lib/http/whole-responses";
import type { KycProvider } from "../context";
import { KycRefusedError } from "./refused-error";
import { verifyWebhook } from "./webhook-signature";

type HttpKycConfig = {
  /** Base URL of the provider's API, from configuration only (T19). */
  url: string;
  apiKey: string;
  webhookSecret: string;
};

const timeoutMs = 10_000;
/** A decision with its reasons takes a few kB. */
const readWhole = fetchWhole(64 * 1024);
/**
 * The statuses that mean that the application itself is refused. Others are about our key, a rate limit or an outage.
 */
const refusals = new Set([400, 413, 422]);
const decisionSchema = z.object({
  status: z.enum(["pending", "approved", "rejected", "action_required"]),
  reasons: z.array(z.string()).default([]),
  decided_at: z.string().datetime({ offset: true }).nullable().default(null),
});

/**
 * An identity provider over HTTP: `POST {url}/applications` submits an application under our reference,
 * `GET {url}/applications/{reference}` returns its `status` (`pending`, `approved`, `rejected` or `action_required`)
 * and, unless it is pending, `decided_at` (ISO 8601) and the `reasons` that the customer is shown. A signed webhook
 * says that the status changed (`webhook-signature.ts`). 400, 413 and 422 permanently refuse an application: the
 * customer is asked to send it again. If the GET of a pending application returns 404, it is submitted again.
 */
export function createHttpKycProvider(config: HttpKycConfig): KycProvider {
  function call(path: string, init: RequestInit, send: typeof fetch = fetch): Promise<Response> {
    return send(`${config.url.replace(/\/$/, "")}${path}`, {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${config.apiKey}`, Accept: "application/json" },
      // Personal data is sent only to the configured host, never to a host it redirects to.
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
  }

  return {
    name: "http",
    async submit(reference: string, application: KycApplication) {
      const response = await call("/applications", {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": reference },
        body: JSON.stringify({ reference, ...application }),
      });
      // Reads only the status, so that nothing in a body can keep an accepted application from being marked as
      // submitted.
      await response.body?.cancel();
      // 409: it already has this reference, from an attempt whose response was lost.
      if (response.ok || response.status === 409) return;
      const message = `the identity provider responded with ${response.status}`;
      throw refusals.has(response.status) ? new KycRefusedError(message) : new Error(message);
    },
    async getDecision(reference) {
      const response = await call(`/applications/${encodeURIComponent(reference)}`, { method: "GET" }, readWhole);
      if (response.status === 404) return "unknown";
      if (!response.ok) throw new Error(`the identity provider responded with ${response.status}`);
      const decision = parseDecision(await response.json().catch(() => null));
      if (decision.status === "pending") return null;
      if (decision.decided_at === null)
        throw new Error(`the identity provider responded with ${decision.status}, but without decided_at`);
      const decidedAt = new Date(decision.decided_at);
      // Otherwise, later decisions, such as the withdrawal of an approval, would count as older than this one.
      if (decidedAt.getTime() > Date.now() + maxClockSkewMs)
        throw new Error("the identity provider responded with a decision from the future");
      return { status: decision.status, reasons: decision.reasons, decidedAt };
    },
    parseWebhook: (rawBody, headers, now) => verifyWebhook(config.webhookSecret, rawBody, headers, now),
  };
}

/** @throws an error that names only the invalid field, because the response may contain personal data */
function parseDecision(body: unknown): z.output<typeof decisionSchema> {
  const { data, error } = decisionSchema.safeParse(body);
  if (data) return data;
  const field = error.issues[0]?.path.join(".") || "body";
  throw new Error(`the identity provider responded with an invalid ${field}`);
}
