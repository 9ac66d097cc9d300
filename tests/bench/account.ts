import type { ApiClient } from "~/api/client";
import { signInAtSite, signUp } from "../support/sign-up";
import { until } from "../support/until";

export type BenchAccount = {
  email: string;
  /** Access token for the API. */
  token: string;
  /** The Cookie header of a browser signed in with the passkey. */
  cookie: string;
};

/** Creates a verified account through the API, then signs in to the site with its passkey. */
export async function createBenchAccount(origin: string, email = "bench@example.org"): Promise<BenchAccount> {
  const readCode = (to: string) =>
    until("the code", async () => {
      const response = await fetch(`${origin}/sandbox/inbox?to=${encodeURIComponent(to)}`);
      return ((await response.json()) as { code: string | null }[])[0]?.code;
    });
  const backend = {
    origin,
    fetch,
    readCode,
    untilReviewed: (api: ApiClient) => until("the approval", async () => (await api.getKyc()).status === "approved"),
  };
  const { tokens, authenticator } = await signUp(backend, email);
  const { cookie } = await signInAtSite(origin, email, authenticator, "bench");
  return { email, token: tokens.access_token, cookie: `hasVisited=true; session=${cookie}` };
}
