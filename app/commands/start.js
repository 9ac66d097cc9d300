/**
 * `npm start`: builds where the build is missing or older than the sources, then runs the
 * server in this very process (a second one would double the memory).
 */
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildWhenStale, builtServer } from "./build-when-stale.js";

process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
process.env.NODE_ENV ??= "production";
buildWhenStale();
await import(pathToFileURL(builtServer).href);
