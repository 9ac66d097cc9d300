/** Accounts for tests of every kind, created with the app's own API client and the software authenticator. */
import type { ReadableStream } from "node:stream/web";
import { decode } from "turbo-stream";
import { type ApiClient, createApiClient } from "~/api/client";
import type { KycApplication, Tokens } from "~/api/contract";
import { TestAuthenticator } from "./authenticator";

/** An exchange, in this process or over HTTP, and what its mail and its reviewer do. */
export type Backend = {
  origin: string;
  fetch(request: Request): Promise<Response>;
  /** The newest code e-mailed to the address. */
  readCode(email: string): Promise<string>;
  /** Resolves when the reviewer has decided about the client's application. */
  untilReviewed(api: ApiClient): Promise<unknown>;
};

export type Account = {
  email: string;
  /** Calls the API with the account's token. */
  api: ApiClient;
  tokens: Tokens;
  authenticator: TestAuthenticator;
};

type SignUpOptions = {
  /** How far to go: a verified e-mail address, or also approved KYC. */
  verified?: "email" | "identity";
  /** Creates the account with a passkey, by default through the API. */
  register?(email: string, authenticator: TestAuthenticator): Promise<Tokens>;
};

export const application: KycApplication = {
  first_name: "Ada",
  last_name: "Lovelace",
  date_of_birth: "1990-04-30",
  country: "GB",
  document_type: "passport",
  document_number: "AB 1234567",
};

export function connect({ origin, fetch }: Pick<Backend, "origin" | "fetch">, accessToken: string | null): ApiClient {
  return createApiClient({ baseUrl: origin, fetch, accessToken: () => accessToken });
}

/** Creates an account with a passkey, a verified e-mail address and, by default, approved KYC. */
export async function signUp(backend: Backend, email: string, options: SignUpOptions = {}): Promise<Account> {
  const { verified = "identity", register = registerAt(backend) } = options;
  const authenticator = new TestAuthenticator(backend.origin);
  const { access_token } = await register(email, authenticator);
  const tokens = await verifyEmail(backend, email, access_token);
  const api = connect(backend, tokens.access_token);
  if (verified === "identity") await verifyIdentity(backend, api);
  return { email, api, tokens, authenticator };
}

function registerAt(backend: Backend) {
  return async (email: string, authenticator: TestAuthenticator): Promise<Tokens> => {
    const api = connect(backend, null);
    const { challenge_id, options } = await api.startRegistration(email);
    return api.finishRegistration(email, challenge_id, { ...authenticator.create(options as never) });
  };
}

/** Proves the address of a signed-in account with a code. */
export async function verifyEmail(backend: Backend, email: string, accessToken: string): Promise<Tokens> {
  const api = connect(backend, accessToken);
  const { challenge_id } = await api.requestEmailCode(email);
  return api.signInByCode(challenge_id, await backend.readCode(email));
}

/** Applies for KYC and requires its approval. */
export async function verifyIdentity(backend: Backend, api: ApiClient): Promise<void> {
  await api.submitKyc(application);
  await backend.untilReviewed(api);
  const { status } = await api.getKyc();
  if (status !== "approved") throw new Error(`The application is ${status}.`);
}

/** A browser's session: the value of the site's session cookie, and the access token in it. */
export type SiteSession = { cookie: string; accessToken: string };

/** Registers through the forms of a site's /register page, as its scripts do. */
export async function registerAtSite(
  origin: string,
  email: string,
  authenticator: TestAuthenticator,
  userAgent: string,
): Promise<SiteSession> {
  const form = createFormClient(`${origin}/register.data`, userAgent);
  const { data } = await form.post({ intent: "registration-options", identifier: email });
  if (!data?.options) throw new Error(`/register sent no options: ${JSON.stringify(data)}`);
  await form.post({
    intent: "registration-verify",
    credential: JSON.stringify(authenticator.create(data.options as never)),
  });
  return form.getSession();
}

/** Signs in with a passkey through the forms of a site's /login page, as its scripts do. */
export async function signInAtSite(
  origin: string,
  email: string,
  authenticator: TestAuthenticator,
  userAgent: string,
): Promise<SiteSession> {
  const form = createFormClient(`${origin}/login.data`, userAgent);
  const { data } = await form.post({ intent: "passkey-options", identifier: email });
  if (!data?.options) throw new Error(`/login sent no options: ${JSON.stringify(data)}`);
  await form.post({ intent: "passkey-verify", credential: JSON.stringify(authenticator.get(data.options as never)) });
  return form.getSession();
}

type ActionResult = { data?: { options?: Record<string, unknown> } };

/** Posts forms to a Remix action, and keeps the cookies. */
function createFormClient(url: string, userAgent: string) {
  const cookies = new Map([["hasVisited", "true"]]);
  return {
    async post(form: Record<string, string>): Promise<ActionResult> {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          Origin: new URL(url).origin,
          "User-Agent": userAgent,
          Cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
        },
        body: new URLSearchParams(form),
        signal: AbortSignal.timeout(60_000),
      });
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";", 1);
        cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
      }
      if (!response.ok || !response.body) throw new Error(`${url} responded ${response.status}`);
      const { value } = await decode(response.body as ReadableStream<Uint8Array> as never);
      return value as ActionResult;
    },
    getSession(): SiteSession {
      const cookie = cookies.get("session");
      if (!cookie) throw new Error(`${url} did not sign in.`);
      return { cookie, accessToken: readAccessToken(cookie) };
    },
  };
}

/** The access token in the session cookie, which is signed but not encrypted. */
export function readAccessToken(cookie: string): string {
  const [payload = ""] = decodeURIComponent(cookie).split(".");
  return (JSON.parse(Buffer.from(payload, "base64").toString("utf8")) as { access: string }).access;
}
