export const removeOthers =
  "remove every passkey you don't recognise, sign out all other devices, then open Addresses and remove every address that isn't yours.";
/** What to do about someone else's access to the account. */
export const secureAccount = `sign in, open Account, ${removeOthers}`;
