/**
 * Every error text of the specification, verbatim, with its ID. Other files must not repeat them. Import it as
 * `errorTexts`: the browser then loads only the texts that it shows.
 */

/** E01: the current user. */
export const userFallback = "Error fetching user";
export const userTokenExpired = "Token expired";
export const userUnauthorized = "Unauthorized";
export const userFetchFailed = "An error occurred fetching user";

/** E01, E02: errors other than HTTP errors. */
export const unknown = "An unknown error occurred";

/** E02: the assets. */
export const assetsFallback = "An error occurred while getting assets";

/** E03: the first visit has no user. */
export const userNotFound = "User not found";

/** E04 */
export const assetsNotFound = "USDT or MOB asset not found";

/** E05 */
export const invalidQuote = "Invalid quote";

/** E06 */
export const rootNotFound = "Root element not found";

/** E07: no access token in the response, or an e-mail sign-in with a status other than 202. */
export const authServerError = "Authentication failed: Server Error";

/** E08: no challenge in the response. */
export const challengeMissing = "Server Error";

/** E09 */
export const authGeneric = "Authentication failed. Please try again.";

/** E11: 401 during a passkey sign-in, which also signs out and clears the stored passkey. */
export const noPasskeys = "No passkeys registered for user";

/** E12: other failures of a passkey sign-in. */
export const passkeyFailed = "Authentication failed";

/** E13 */
export const registrationStartFailed = "Failed to start passkey registration";

/** E14 */
export const passkeyCompletionFailed = "Failed completing passkey authentication";

/** E15: a failed registration, which also clears the stored passkey. */
export const registrationFailed = "Failed to register passkey";

/** E16: spelled this way in the specification. */
export const registerAndLoginFailed = "Failed to regigister and login with passkey";

/** R18 */
export const rootTitle = "Error";
export const rootText =
  "An unexpected error has occurred. Please try again later or contact support if the issue persists.";

/** R19 */
export const somethingWentWrong = "Something went wrong!";

/** R20 */
export const notFound = "Not Found";

/** E10: a failed e-mail sign-in with the server's message. */
export function emailSignInError(message: string): string {
  return `Authentication failed: ${message.trim().replace(/\.$/, "")}. Please try again.`;
}
