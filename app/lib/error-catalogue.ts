/** Every error text of the specification, verbatim, with its ID. No other file may repeat one. */
export const errorTexts = {
  /** E01: the current user. */
  userFallback: "Error fetching user",
  userTokenExpired: "Token expired",
  userUnauthorized: "Unauthorized",
  userFetchFailed: "An error occurred fetching user",
  /** E01, E02: errors other than HTTP errors. */
  unknown: "An unknown error occurred",
  /** E02: the assets. */
  assetsFallback: "An error occurred while getting assets",
  /** E03: there is no user on the first visit. */
  userNotFound: "User not found",
  /** E04 */
  assetsNotFound: "USDT or MOB asset not found",
  /** E05 */
  invalidQuote: "Invalid quote",
  /** E06 */
  rootNotFound: "Root element not found",
  /** E07: no access token in the response, or an e-mail sign-in with a status other than 202. */
  authServerError: "Authentication failed: Server Error",
  /** E08: no challenge in the response. */
  challengeMissing: "Server Error",
  /** E09 */
  authGeneric: "Authentication failed. Please try again.",
  /** E11: 401 during a passkey sign-in, which also signs out and clears the stored passkey. */
  noPasskeys: "No passkeys registered for user",
  /** E12: other failures of a passkey sign-in. */
  passkeyFailed: "Authentication failed",
  /** E13 */
  registrationStartFailed: "Failed to start passkey registration",
  /** E14 */
  passkeyCompletionFailed: "Failed completing passkey authentication",
  /** E15: a failed registration, which also clears the stored passkey. */
  registrationFailed: "Failed to register passkey",
  /** E16: spelled this way in the specification. */
  registerAndLoginFailed: "Failed to regigister and login with passkey",
  /** R18 */
  rootTitle: "Error",
  rootText: "An unexpected error has occurred. Please try again later or contact support if the issue persists.",
  /** R19 */
  somethingWentWrong: "Something went wrong!",
  /** R20 */
  notFound: "Not Found",
} as const;

/** E10: a failed e-mail sign-in with the server's message. */
export function emailSignInError(message: string): string {
  return `Authentication failed: ${message.trim().replace(/\.$/, "")}. Please try again.`;
}
