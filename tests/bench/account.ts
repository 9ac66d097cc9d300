import { TestAuthenticator } from "../support/authenticator";

type Json = Record<string, unknown>;
export type BenchAccount = {
  email: string;
  /** Access token for the API. */
  token: string;
  /** The Cookie header of a browser signed in with the passkey. */
  cookie: string;
};

/**
 * Creates a verified account through the API (passkey, e-mail code from the inbox, identity
 * review), then signs in to the site with the passkey.
 */
export async function createBenchAccount(origin: string, email = "bench@example.org"): Promise<BenchAccount> {
  const authenticator = new TestAuthenticator(origin);
  const call = async (path: string, body?: Json, token?: string): Promise<Json> => {
    const response = await fetch(`${origin}${path}`, {
      method: body ? "POST" : "GET",
      headers: { "Content-Type": "application/json", Origin: origin, ...(token && { "X-Auth-Token": token }) },
      body: body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    return (await response.json()) as Json;
  };

  const started = await call("/api/auth/passkey/register", { identifier: email });
  const registered = await call("/api/auth/passkey/register/verify", {
    identifier: email,
    challenge_id: started.challenge_id,
    attestation: authenticator.create(started.options as never),
  });
  const token = String(registered.access_token);

  const requested = await call("/api/auth", { auth_method: "email", credentials: { identifier: email } }, token);
  const code = await until(async () => {
    const mails = (await call(`/sandbox/inbox?to=${encodeURIComponent(email)}`)) as unknown as { code: string }[];
    return mails[0]?.code;
  });
  const credentials = { challenge_id: requested.challenge_id, auth_data: { code } };
  await call("/api/auth", { auth_method: "email", credentials }, token);
  const application = {
    first_name: "Ada",
    last_name: "Bench",
    date_of_birth: "1990-04-30",
    country: "GB",
    document_type: "passport",
    document_number: "X1234567",
  };
  await call("/api/kyc", application, token);
  await until(async () => (await call("/api/kyc", undefined, token)).status === "approved");
  return { email, token, cookie: await signInAtSite(origin, email, authenticator) };
}

/** Signs in as the sign-in page's scripts do, without a browser. */
async function signInAtSite(origin: string, email: string, authenticator: TestAuthenticator): Promise<string> {
  const jar = new Map<string, string>([["hasVisited", "true"]]);
  const header = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const post = async (form: Record<string, string>): Promise<string> => {
    const response = await fetch(`${origin}/login.data`, {
      method: "POST",
      headers: { Origin: origin, Cookie: header() },
      body: new URLSearchParams(form),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";", 1);
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response.text();
  };
  const requested = await post({ intent: "passkey-options", identifier: email });
  // In Remix's stream a new key is followed by its value; only the challenge is needed.
  const challenge = /"challenge","([\w-]+)"/.exec(requested)?.[1];
  if (!challenge) throw new Error(`/login sent no passkey challenge: ${requested}`);
  const credential = authenticator.get({ challenge, rpId: new URL(origin).hostname });
  await post({ intent: "passkey-verify", credential: JSON.stringify(credential) });
  if (!jar.get("session")) throw new Error("/login did not sign in.");
  return header();
}

async function until<T>(read: () => Promise<T>): Promise<NonNullable<T>> {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    const value = await read();
    if (value) return value as NonNullable<T>;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("The account was not ready within 20 s.");
}
