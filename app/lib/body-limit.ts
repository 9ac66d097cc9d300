/** The maximum size of a request body, for the site and the API. Larger requests get a 413 response. */
export const maxBodyBytes = 64 * 1024;

/** Whether requests of a method may have a body. */
export function mayHaveBody(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** Whether a request says how long its body is, and is not chunked. */
export function hasKnownLength({ headers }: Request): boolean {
  return headers.has("content-length") && !headers.has("transfer-encoding");
}
