/**
 * Keeps the messages of a worker's tests away from the pages of another's. Workers are threads of one process, which
 * share broadcast channels.
 */
import { threadId } from "node:worker_threads";

const suffix = ` of thread ${threadId}`;

// The files of a worker share their globals.
if (BroadcastChannel.name !== "OwnChannel") {
  globalThis.BroadcastChannel = class OwnChannel extends BroadcastChannel {
    constructor(name: string) {
      super(name + suffix);
    }
  };
}
