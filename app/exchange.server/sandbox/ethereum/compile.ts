/**
 * `npm run contracts:compile` writes tether-like.artifact.json from TetherLike.sol. The
 * artefact is committed, so that a start needs no compiler; a test holds the two together.
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

/** Compiles one contract of a Solidity source. Throws with the compiler's own words. */
export function compileContract(source: string, contract: string): Artifact {
  const input = {
    language: "Solidity",
    sources: { "source.sol": { content: source } },
    settings: {
      evmVersion: "paris",
      optimizer: { enabled: true, runs: 200 },
      // Without the metadata hash the same source gives the same bytes everywhere.
      metadata: { bytecodeHash: "none", appendCBOR: false },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput;
  const errors = (output.errors ?? []).filter((error) => error.severity === "error");
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
  const compiled = output.contracts?.["source.sol"]?.[contract];
  if (!compiled) throw new Error(`The source holds no contract ${contract}.`);
  return { compiler: solc.version(), abi: compiled.abi, bytecode: `0x${compiled.evm.bytecode.object}` };
}

/** The sandbox's USDT from its source; throws with the compiler's own words. */
export function compileTetherLike(): Artifact {
  return compileContract(readFileSync(sourceFile, "utf8"), "TetherLike");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(artifactFile, `${JSON.stringify(compileTetherLike())}\n`);
}
