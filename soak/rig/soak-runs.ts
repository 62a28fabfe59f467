/**
 * How often a measured property is tried: `inTests` times by `npm test`, `inFull` times by `npm run soak NAME`, or
 * as often as `--runs` says. Prints target, seed and count; `--seed` repeats a run.
 */
export function soakRuns(target: string, inTests: number, inFull: number): { numRuns: number; seed: number } {
	const { SIGNALBOX_SOAK, SIGNALBOX_SOAK_SEED, SIGNALBOX_SOAK_RUNS } = process.env;
	const seed = Number(SIGNALBOX_SOAK_SEED ?? Math.floor(Math.random() * 2 ** 31));
	const numRuns = SIGNALBOX_SOAK ? Number(SIGNALBOX_SOAK_RUNS ?? inFull) : inTests;
	process.stdout.write(`${target}: seed ${seed}, ${numRuns} runs\n`);
	return { numRuns, seed };
}

/** What a measurement found, under `npm run soak` and in the tests alike. */
export function soakCounts(target: string, counts: Readonly<Record<string, number>>): void {
	const words = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
	process.stdout.write(`${target}: ${words.join(', ')}\n`);
}
