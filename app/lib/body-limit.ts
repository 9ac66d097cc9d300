/** The maximum size of a request body, for the site and the API. Larger requests get a 413 response. */
export const maxBodyBytes = 64 * 1024;
