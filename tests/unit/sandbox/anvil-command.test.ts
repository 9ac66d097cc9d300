import { expect, it } from "vitest";
import { isAnvilCommand } from "~/sandbox.server/ethereum/anvil-process";

it.each([
  ["anvil --port 8545 --state /data/ethereum/anvil-state.json --quiet", "/data/ethereum/anvil-state.json", true],
  [
    '"C:\\bin\\anvil.exe" --port 8545 --state "C:\\Users\\Ada L\\anvil-state.json" --quiet',
    "C:\\Users\\Ada L\\anvil-state.json",
    true,
  ],
  ["anvil --port 85450 --state /data/ethereum/anvil-state.json", "/data/ethereum/anvil-state.json", false],
  ["anvil --port 8545 --state /other/anvil-state.json", "/data/ethereum/anvil-state.json", false],
])("recognises our anvil by its command line: %s", (command, stateFile, expected) => {
  expect(isAnvilCommand(8545, stateFile, command)).toBe(expected);
});
