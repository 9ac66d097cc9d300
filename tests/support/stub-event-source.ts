import { vi } from "vitest";

/** Replaces the browser's event streams. Returns a function that returns the stream that was opened last. */
export function stubEventSource(): () => EventTarget | undefined {
  let stream: EventTarget | undefined;
  vi.stubGlobal(
    "EventSource",
    class extends EventTarget {
      constructor() {
        super();
        stream = this;
      }
      close() {}
    },
  );
  return () => stream;
}
