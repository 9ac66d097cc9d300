/**
 * Every error text of the specification (section 8), word for word, with its id.
 * Screens and the client choose from here; nothing else spells one out.
 */
export const errorTexts = {
  /** E01: the current user. */
  userFallback: "Error fetching user",
  userTokenExpired: "Token expired",
  userUnauthorized: "Unauthorized",
  userFetchFailed: "An error occurred fetching user",
  /** E01, E02: what is no failure of HTTP. */
  unknown: "An unknown error occurred",
  /** E02: the assets. */
  assetsFallback: "An error occurred while getting assets",
  /** E03: the first-visit rule found no user. */
  userNotFound: "User not found",
  /** E04 */
  assetsNotFound: "USDT or MOB asset not found",
  /** E05 */
  invalidQuote: "Invalid quote",
  /** E06 */
  rootNotFound: "Root element not found",
  /** E07: no access token in the answer, or an e-mail sign-in not answered 202. */
  authServerError: "Authentication failed: Server Error",
  /** E08: no challenge in the answer. */
  challengeMissing: "Server Error",
  /** E09 */
  authGeneric: "Authentication failed. Please try again.",
  /** E11: 401 during a passkey sign-in; then logged out, the stored passkey cleared. */
  noPasskeys: "No passkeys registered for user",
  /** E12: other failures of a passkey sign-in. */
  passkeyFailed: "Authentication failed",
  /** E13 */
  registrationStartFailed: "Failed to start passkey registration",
  /** E14 */
  passkeyCompletionFailed: "Failed completing passkey authentication",
  /** E15: any failure of a registration clears the stored passkey. */
  registrationFailed: "Failed to register passkey",
  /** E16: spelled this way in the product. */
  registerAndLoginFailed: "Failed to regigister and login with passkey",
  /** R18 */
  rootTitle: "Error",
  rootText: "An unexpected error has occurred. Please try again later or contact support if the issue persists.",
  /** R19 */
  somethingWentWrong: "Something went wrong!",
  /** R20 */
  notFound: "Not Found",
} as const;

/** E10: an e-mail sign-in that failed with a message of the server's. */
export function emailSignInError(message: string): string {
  return `Authentication failed: ${message.replace(/[.\s]+$/, "")}. Please try again.`;
}
