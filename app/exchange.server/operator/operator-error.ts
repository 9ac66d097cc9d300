/** Why a command cannot be carried out, in one sentence for the operator. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}
