/** Numbers repeated stages as the seed's workflow.json does: the second TEST becomes TEST:2. */
export function stageKeys(stages: readonly string[]): string[] {
	const seen = new Map<string, number>();
	return stages.map((stage) => {
		const count = (seen.get(stage) ?? 0) + 1;
		seen.set(stage, count);
		return count === 1 ? stage : `${stage}:${count}`;
	});
}

/** The stage's name without its number. */
export const stageBase = (key: string) => key.split(':', 1)[0] ?? key;
