import * as errorTexts from "~/lib/error-catalogue";
import type { Refused } from "~/lib/form-result";

/** E09: what a form about an e-mail code shows if there was no response. */
export const lostCodeForm: Refused = { kind: "refused", error: errorTexts.authGeneric };
