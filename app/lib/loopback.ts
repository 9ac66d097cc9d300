/** Whether a URL's host name stands for this machine. */
export const isLoopback = (hostname: string): boolean => /^(localhost|127\.[0-9.]+|\[::1\])$/.test(hostname);
