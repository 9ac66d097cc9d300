/** Why a command cannot be carried out, in one sentence for the operator. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OperatorError";
  }
}
