import type { StageView } from './view.ts';

/** The key of the stage that ran at an instant (ISO), the one begun last where several did; undefined where none did. */
export function stageAt(stages: readonly StageView[], at: string): string | undefined {
	return stages
		.filter(({ startedAt, completedAt }) => {
			if (startedAt === undefined || startedAt > at) return false;
			return completedAt === undefined || completedAt > at || completedAt < startedAt;
		})
		.sort((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? 1 : -1))[0]?.key;
}
