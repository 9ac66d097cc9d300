/** By default, Testing Library's `findBy…` and `waitFor` wait one second, which is too short on a busy machine. */
if ("document" in globalThis) {
  const { configure } = await import("@testing-library/dom");
  configure({ asyncUtilTimeout: 30_000 });
}

export {};
