/** The results that actions return to the forms that were sent. */

/** Field name → what is wrong with it, as a sentence to show beside the field. */
export type FieldErrors = Record<string, string>;

/** The form was refused: as a whole, or because of fields, or both. It never contains secrets. */
export type Refused = {
  kind: "refused";
  /** What was typed, by the field's name, to fill in the form again. */
  values?: Record<string, string | undefined>;
} & (
  | {
      /** A sentence, or a text from the error catalogue. */
      error: string;
      /** What to do about the error, or the server's message. */
      hint?: string | undefined;
      /** The exchange's error code, such as `code_wrong`, for screens that offer a way out. */
      code?: string | undefined;
      fields?: FieldErrors;
    }
  | { error?: undefined; hint?: undefined; code?: undefined; fields: FieldErrors }
);

/** The form was accepted, and what it requested is done. */
export type Done = {
  kind: "done";
  /** Says what was done. */
  text: string;
  /** What was typed, if the form is needed again. */
  values?: Refused["values"];
};

export type FormResult = Refused | Done;

/** The result if it is a refusal. */
export function toRefused<Result extends { kind: string }>(
  result: Result | null | undefined,
): Extract<Result, { kind: "refused" }> | undefined {
  return result?.kind === "refused" ? (result as Extract<Result, { kind: "refused" }>) : undefined;
}
