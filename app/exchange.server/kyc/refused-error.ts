/** The provider refuses an application as it is: sending it again would not help. */
export class KycRefusedError extends Error {
  override name = "KycRefusedError";
}
