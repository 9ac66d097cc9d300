import type { Database } from "../../db/database";
import { type SwitchName, switchOff } from "../../switches/switches";
import type { CommandRunner } from "../command-runner";
import { endStops, type StopsToEnd, toStopReason } from "../end-stops";

/** What is turned off and on by hand. */
export function createSwitchCommands({ operator, change }: CommandRunner) {
  return {
    /** Switches something off for an additional reason. Earlier reasons remain. */
    turnOff: (name: SwitchName, reason: string) =>
      change({
        command: "off",
        args: [name, reason],
        run: async (tx, at) => {
          await switchOff(tx, name, { reason: toStopReason(reason), at });
          return [];
        },
      }),
    /**
     * Ends causes for which new swaps or payments are switched off; see `endStops`.
     * @returns the reasons for which they were off
     */
    turnOn: (name: SwitchName, which?: StopsToEnd) => {
      const named = which === undefined ? [] : [which === "all" ? "--all" : which.cause];
      const run = (tx: Database) => endStops(tx, { name, which, operator });
      return change({ command: "on", args: [name, ...named], run });
    },
  };
}
