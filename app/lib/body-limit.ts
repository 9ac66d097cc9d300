/** The largest body of any request, to the site and to the API: 64 KiB. Larger ones are answered with 413. */
export const maxBodyBytes = 64 * 1024;
