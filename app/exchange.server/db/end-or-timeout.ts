/** Waits until `work`, which never rejects, has ended, but for at most `ms`. */
export function endOrTimeout(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms).unref();
    void work.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
