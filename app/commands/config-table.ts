/** Prints the README's table of settings: `npx tsx app/commands/config-table.ts`. */
import { settings } from "../config/settings.server";
import { toConfigTable } from "../config/table.server";

process.stdout.write(`${toConfigTable(settings)}\n`);
