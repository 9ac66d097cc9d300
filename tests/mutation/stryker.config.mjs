/** Stryker's settings. tests/mutation/run.ts says in the environment what to change and which tests to run. */
const list = (name) => JSON.parse(process.env[name] ?? "[]");

export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner", "./tests/mutation/ignore-log-calls.mjs"],
  ignorers: ["log-calls"],
  vitest: { configFile: "tests/mutation/vitest.config.ts", related: false },
  mutate: list("MUTATE_FILES"),
  mutator: { excludedMutations: list("MUTATE_WITHOUT") },
  ignorePatterns: [".git", ".data", "build", "screenshots", "reports", "tests/bench", "tests/screenshots"],
  // Stryker reads tsconfig.json with TypeScript's JavaScript API, which TypeScript 7 does not have.
  tsconfigFile: "tests/mutation/no-tsconfig.json",
  tempDirName: ".cache/stryker",
  concurrency: 2,
  // A timeout counts as noticed. On a busy machine, a short timeout would make the score too high.
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 30,
  disableTypeChecks: false,
  reporters: ["clear-text", "json", "progress-append-only"],
  clearTextReporter: { allowColor: false, logTests: false, allowEmojis: false },
  jsonReporter: { fileName: process.env.MUTATE_REPORT ?? ".cache/mutation.json" },
  allowEmpty: false,
  ignoreStatic: process.env.MUTATE_STATIC !== "true",
};
