/** The seed of `npm test`: what it tries today it tries tomorrow, and a failure is one of the code. */
const SEED_IN_TESTS = 20_261_126;

/**
 * How often a measured property is tried: `inTests` times by `npm test`, always by one seed, `inFull` times by
 * `npm run soak NAME`, by a new one, or as often as `--runs` says. Prints target, seed and count; `--seed` repeats a run.
 */
export function soakRuns(target: string, inTests: number, inFull: number): { numRuns: number; seed: number } {
	const { SIGNALBOX_SOAK, SIGNALBOX_SOAK_SEED, SIGNALBOX_SOAK_RUNS } = process.env;
	const seed = Number(SIGNALBOX_SOAK_SEED ?? (SIGNALBOX_SOAK ? Math.floor(Math.random() * 2 ** 31) : SEED_IN_TESTS));
	const numRuns = SIGNALBOX_SOAK ? Number(SIGNALBOX_SOAK_RUNS ?? inFull) : inTests;
	process.stdout.write(`${target}: seed ${seed}, ${numRuns} runs\n`);
	return { numRuns, seed };
}

/** What a measurement found, under `npm run soak` and in the tests alike. */
export function soakCounts(target: string, counts: Readonly<Record<string, number>>): void {
	const words = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
	process.stdout.write(`${target}: ${words.join(', ')}\n`);
}
