import { z } from "zod";
import type { KycApplication } from "../../api/contract";
import type { KycProvider } from "../context";
import { readWebhook } from "./webhook-signature";

type HttpKycConfig = {
  /** Base URL of the provider's API, from configuration only (T19). */
  url: string;
  apiKey: string;
  webhookSecret: string;
};

const timeoutMs = 10_000;
const answerSchema = z.object({
  status: z.enum(["pending", "approved", "rejected", "action_required"]),
  reasons: z.array(z.string()).default([]),
  decided_at: z.string().datetime({ offset: true }).nullable().default(null),
});

/**
 * A provider over HTTP: `POST {url}/applications` takes an application under our reference,
 * `GET {url}/applications/{reference}` says how it stands, and a signed webhook tells when
 * to ask (`webhook-signature.ts`).
 */
export function createHttpKycProvider(config: HttpKycConfig): KycProvider {
  async function call(path: string, init: RequestInit): Promise<Response> {
    return fetch(`${config.url.replace(/\/+$/, "")}${path}`, {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${config.apiKey}`, Accept: "application/json" },
      // Identities are sent to the configured host and to nobody that it points to.
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
      await response.body?.cancel();
      // 409: it has this reference already, from a try whose answer was lost.
      if (!response.ok && response.status !== 409) throw new Error(`the provider answered ${response.status}`);
    },
    async getDecision(reference) {
      const response = await call(`/applications/${encodeURIComponent(reference)}`, { method: "GET" });
      if (response.status === 404) {
        await response.body?.cancel();
        return null;
      }
      if (!response.ok) throw new Error(`the provider answered ${response.status}`);
      const answer = answerSchema.parse(await response.json());
      if (answer.status === "pending" || answer.decided_at === null) return null;
      return { status: answer.status, reasons: answer.reasons, decidedAt: new Date(answer.decided_at) };
    },
    parseWebhook: (rawBody, headers, now) => readWebhook(config.webhookSecret, rawBody, headers, now),
  };
}
