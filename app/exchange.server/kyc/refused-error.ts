/** The provider refuses an application. Sending it again unchanged would not help. */
export class KycRefusedError extends Error {
  override name = "KycRefusedError";
}
