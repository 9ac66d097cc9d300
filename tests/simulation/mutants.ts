/** A fault that the simulator must find: `find` in `file`, which is there exactly once, becomes `replace`. */
export type Mutant = { name: string; file: string; find: string; replace: string };

export const mutants: readonly Mutant[] = [];
