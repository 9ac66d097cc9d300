/**
 * `npm start`: builds if the build is missing or not of these sources, then runs the server
 * in this process. A child process would need twice the memory.
 */
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildWhenStale, builtServer } from "./build-when-stale.js";

process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
process.env.NODE_ENV ??= "production";
buildWhenStale();
await import(pathToFileURL(builtServer).href);
