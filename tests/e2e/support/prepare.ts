import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPglite } from "../../../app/exchange.server/db/open";

/** Runs before the browser tests: creates a migrated PGlite directory, which every new site copies. */
export default async function prepare(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "antelope-e2e-template-"));
  await (await openPglite(join(directory, "database"))).close();
  process.env.E2E_DATA_TEMPLATE = directory;
  return () => rm(directory, { recursive: true, force: true });
}
