import * as errorTexts from "~/lib/error-catalogue";
import type { SignInResult } from "~/sign-in/sign-in-result";

const noResponse: SignInResult = { error: errorTexts.authGeneric };

/**
 * What a form about an e-mail code shows: E09 if there was no response. The action's data is null then (see
 * cached-loader.ts).
 */
export const toEmailResult = (result: SignInResult | null | undefined): SignInResult | undefined =>
  result === null ? noResponse : result;
