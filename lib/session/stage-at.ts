import type { StageView } from './workflow-progress.ts';

/** The key of the stage that ran at an instant (ISO), the one begun last where several did; undefined where none did. */
export function stageAt(stages: readonly StageView[], at: string): string | undefined {
	return stages
		.filter(({ status, startedAt, completedAt = '' }) => {
			if (startedAt === undefined || startedAt > at) return false;
			return status === 'active' || completedAt > at;
		})
		.sort((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? 1 : -1))[0]?.key;
}
