/** The methods that only read. Requests with them have no body. */
export const readingMethods = ["GET", "HEAD"];

/** Whether a request has one of these methods. */
export function onlyReads({ method }: { method?: string | undefined }): boolean {
  return method === "GET" || method === "HEAD";
}

/** Whether a request's method is safe (RFC 9110): it only reads, or asks which methods are allowed. */
export function isSafe(request: { method: string }): boolean {
  return onlyReads(request) || request.method === "OPTIONS";
}
