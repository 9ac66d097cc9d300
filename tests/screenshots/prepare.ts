import { mkdirSync } from "node:fs";
import { buildWhenStale } from "~/commands/build-when-stale.js";
import { folder } from "./files";

export default function prepare(): void {
  buildWhenStale();
  mkdirSync(folder, { recursive: true });
}
