import { expect, test } from 'vitest';
import { stageAt } from './workflow-progress.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

test('the stage of a question is the one that ran when it was asked', () => {
	const stages = [
		{ key: 'TEST', status: 'completed', result: 'pass', startedAt: at(10), completedAt: at(20) },
		{ key: 'REVIEW', status: 'active', result: null, startedAt: at(20) },
		{ key: 'DOCS', status: 'pending', result: null },
	] as const;
	expect([5, 15, 20, 40].map((second) => stageAt(stages, at(second)))).toEqual([undefined, 'TEST', 'REVIEW', 'REVIEW']);
});
