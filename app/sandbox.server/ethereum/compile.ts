/**
 * `npm run contracts:compile` compiles TetherLike.sol to tether-like.artifact.json. The artifact is
 * committed, so that starting needs no compiler. A test checks that the two match.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import solc from "solc";

const sourceFile = fileURLToPath(new URL("./TetherLike.sol", import.meta.url));
const artifactFile = fileURLToPath(new URL("./tether-like.artifact.json", import.meta.url));

export type Artifact = { compiler: string; abi: unknown[]; bytecode: `0x${string}` };

type SolcOutput = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts?: Record<string, Record<string, { abi: unknown[]; evm: { bytecode: { object: string } } }>>;
};

/** Compiled contracts, cached per process: compiling one takes about a second. */
const compiled = new Map<string, Artifact>();

/** Compiles one contract of a Solidity source. Throws with the compiler's messages. */
export function compileContract(source: string, contract: string): Artifact {
  const key = `${contract} ${source}`;
  const artifact = compiled.get(key) ?? compile(source, contract);
  compiled.set(key, artifact);
  return artifact;
}

function compile(source: string, contract: string): Artifact {
  const input = {
    language: "Solidity",
    sources: { "source.sol": { content: source } },
    settings: {
      evmVersion: "paris",
      optimizer: { enabled: true, runs: 200 },
      // Without the metadata hash, the same source compiles to the same bytes everywhere.
      metadata: { bytecodeHash: "none", appendCBOR: false },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput;
  const errors = (output.errors ?? []).filter((error) => error.severity === "error");
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
  const found = output.contracts?.["source.sol"]?.[contract];
  if (!found) throw new Error(`The source has no contract ${contract}.`);
  return { compiler: solc.version(), abi: found.abi, bytecode: `0x${found.evm.bytecode.object}` };
}

/** Compiles the sandbox's USDT token. */
export function compileTetherLike(): Artifact {
  return compileContract(readFileSync(sourceFile, "utf8"), "TetherLike");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(artifactFile, `${JSON.stringify(compileTetherLike())}\n`);
}
