/**
 * `npm start`: builds if there is no complete build of the current sources, then runs the server
 * in this process. A child process would double the memory.
 */
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildWhenStale, builtServer } from "./build-when-stale.js";

process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
process.env.NODE_ENV ??= "production";
buildWhenStale();
await import(pathToFileURL(builtServer).href);
