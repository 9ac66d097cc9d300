/**
 * Ends the process because of an error that nothing has caught. Node.js would also print everything that the error
 * contains, such as the parameters of a query, or the headers of a request with a key (T18).
 * @param report logs the error without them
 */
export function endOnUncaughtErrors(
  report: (error: unknown) => void,
  target: Pick<NodeJS.Process, "on" | "exit"> = process,
): void {
  target.on("uncaughtException", (error) => {
    try {
      report(error);
    } finally {
      target.exit(1);
    }
  });
}
