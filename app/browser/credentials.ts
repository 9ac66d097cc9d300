import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/browser";

export type CeremonyKind = "passkey" | "registration";

/** What responds to WebAuthn challenges: the browser, or the sandbox's test passkey. */
export type Credentials = {
  /** Rejects if the visitor declines or no authenticator responds. The error may have a `hint` for the visitor. */
  register(options: PublicKeyCredentialCreationOptionsJSON): Promise<RegistrationResponseJSON>;
  authenticate(options: PublicKeyCredentialRequestOptionsJSON): Promise<AuthenticationResponseJSON>;
};
