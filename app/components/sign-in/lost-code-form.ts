import * as errorTexts from "~/lib/error-catalogue";
import type { SignInResult } from "~/sign-in/sign-in-result";

/** E09: what a form about an e-mail code shows if there was no response. */
export const lostCodeForm: SignInResult = { error: errorTexts.authGeneric };
