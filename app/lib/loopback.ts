/** Whether a URL's host name is that of this machine. */
export const isLoopback = (hostname: string): boolean => /^(localhost|127\.[0-9.]+|\[::1\])$/.test(hostname);
