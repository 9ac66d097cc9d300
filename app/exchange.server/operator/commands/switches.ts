import type { Database } from "../../db/database";
import { type SwitchName, switchOff, waitUntilStopApplies } from "../../switches/switches";
import type { CommandRunner } from "../command-runner";
import { endStops, type StopsToEnd, toEndedLine } from "../end-stops";
import { OperatorError } from "../operator-error";
import { toReason } from "../reason";

/** What is turned off and on by hand. */
export function createSwitchCommands(db: Database, { operator, change }: CommandRunner) {
  return {
    /**
     * Switches something off for an additional reason. Earlier reasons remain. Returns only once everything that had
     * begun before has been stored.
     */
    turnOff: async (name: SwitchName, reason: string) => {
      const done = await change({
        command: "off",
        args: [name, reason],
        run: async (tx, at) => {
          await switchOff(tx, name, { reason: toReason(reason), at });
          return [];
        },
      });
      await waitUntilStopApplies(db).catch((error: unknown) => {
        const message =
          "It is off, but a lock, decision or payment that began earlier may still be stored. Run the command again.";
        throw new OperatorError(message, { cause: error });
      });
      return done;
    },
    /**
     * Ends causes for which new swaps or payments are switched off; see `endStops`.
     * @returns the reasons for which they were off
     */
    turnOn: async (name: SwitchName, which?: StopsToEnd): Promise<string[]> => {
      const named = which === undefined ? [] : [which === "all" ? "--all" : which.cause];
      let ended: string[] = [];
      const run = async (tx: Database) => {
        ended = await endStops(tx, { name, which, operator });
        return ended.map(toEndedLine);
      };
      await change({ command: "on", args: [name, ...named], run });
      return ended;
    },
  };
}
