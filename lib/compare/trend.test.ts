import { expect, test } from 'vitest';
import type { FeatureRecord } from '../contract/archives/features.ts';
import { trendRuns, trendSeries, trendWorkflows } from './trend.ts';

const archive = (day: number, more: Partial<FeatureRecord> = {}): FeatureRecord => ({
	id: `0123456789ab-${day}`,
	project: 'shop',
	name: 'cart',
	makes: [],
	state: 'archived',
	tasks: { done: 1, total: 1, next: [], more: 0 },
	workflow: 'standard',
	archivedAt: `2026-01-${String(day).padStart(2, '0')}T12:00:00.000Z`,
	sessions: ['s'],
	outcome: { durationMs: day * 1000, retries: day, passAt1: day === 2 ? null : 0.5, denials: 0, overrides: 0 },
	...more,
});

test('the archives of one workflow are ordered by time, with a gap for a missing figure', () => {
	const counts = {
		answers: 2,
		inputTokens: 1,
		outputTokens: 2,
		cacheReadTokens: 3,
		cacheWriteTokens: 4,
		costUsd: 0.5,
		unpriced: 0,
	};
	const outcome = { durationMs: 1, retries: 1, passAt1: 1, denials: 0, overrides: 0 };
	const features = [
		archive(3, { outcome: { ...outcome, usage: counts } }),
		...[archive(2), archive(1), archive(4, { workflow: '__proto__' }), archive(5, { state: 'paused' })],
		archive(6, { outcome: { ...outcome, usage: { ...counts, unpriced: 2 } } }),
	];
	expect(trendWorkflows(features)).toEqual([
		{ workflow: 'standard', count: 4 },
		{ workflow: '__proto__', count: 1 },
	]);
	const runs = trendRuns(features, 'standard');
	expect(runs.map(({ id }) => id)).toEqual(['0123456789ab-1', '0123456789ab-2', '0123456789ab-3', '0123456789ab-6']);
	const values = (name: string) => trendSeries(runs).find((series) => series.name === name)?.values;
	expect(values('passAt1')).toEqual([0.5, null, 1, 1]);
	expect(values('tokens')).toEqual([null, null, 10, 10]);
	expect(values('cost')).toEqual([null, null, 0.5, null]);
	expect(values('retries')).toEqual([1, 2, 1, 1]);
	const many = Array.from({ length: 90 }, (_, index) => archive(1, { id: `0123456789ab-${index}` }));
	expect(trendRuns(many, 'standard')).toHaveLength(60);
});
