import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/browser";

/** Who answers a passkey's challenge: the browser, or the sandbox's test passkey. */
export type Credentials = {
  /** Rejects where the person declines or no authenticator answers. */
  register(options: PublicKeyCredentialCreationOptionsJSON): Promise<RegistrationResponseJSON>;
  authenticate(options: PublicKeyCredentialRequestOptionsJSON): Promise<AuthenticationResponseJSON>;
};

/** Loads whoever answers; called when a challenge is there to be answered. */
export type CredentialsSource = () => Promise<Credentials>;

let chosen: CredentialsSource | null = null;

/** Chosen at the moment of the click; the browser's own where nothing else was. */
export function getCredentials(): Promise<Credentials> {
  return chosen ? chosen() : getBrowserCredentials();
}

/** The sandbox's test passkey puts itself in place with this; null gives the browser's back. */
export function chooseCredentials(source: CredentialsSource | null): void {
  chosen = source;
}

/** Loaded when a passkey is asked for, so that it is in no first page. */
async function getBrowserCredentials(): Promise<Credentials> {
  const { startAuthentication, startRegistration } = await import("@simplewebauthn/browser");
  return {
    register: (optionsJSON) => startRegistration({ optionsJSON }),
    authenticate: (optionsJSON) => startAuthentication({ optionsJSON }),
  };
}

/** Conditional UI: resolves when a passkey was picked from the field's suggestions. */
export async function authenticateByAutofill(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  return startAuthentication({ optionsJSON: options, useBrowserAutofill: true });
}

/** Whether this browser offers passkeys in a field's suggestions. */
export async function canAutofillPasskeys(): Promise<boolean> {
  try {
    return (await window.PublicKeyCredential?.isConditionalMediationAvailable?.()) === true;
  } catch {
    return false;
  }
}

let ceremonyBegun = false;

/** A button's own ceremony has begun on this page: suggestions that come late stand back. */
export function noteCeremony(): void {
  ceremonyBegun = true;
}

/** A page that offers suggestions was opened: what was confirmed before is over. */
export function forgetCeremonies(): void {
  ceremonyBegun = false;
}

export function hasCeremonyBegun(): boolean {
  return ceremonyBegun;
}
