import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { FeatureSheet } from '#lib/contract/archives/features.ts';
import { createLog } from '../../process/log.ts';
import { createEdgeRateLimits } from '../timelines/edge-rate-limits.ts';
import { createFeatureIntake, createSlots, type FeatureIntake, type ReportedFeature } from './feature-intake.ts';

const id = 'abcdefabcdef-2026-01-01_cart';
const texts = ['one', 'two', 'three'];
const documents = texts.map((text) => ({ name: `${text}.md`, bytes: text.length, sha256: hash('sha256', text) }));
const archivedAt = '2026-01-01T10:00:00.000Z';
const none = { total: 0, done: 0, next: [], more: 0 };
const sheet: FeatureSheet = {
	v: 1,
	feature: { id, project: 'p', name: 'cart', state: 'archived', tasks: none, sessions: [], makes: [] },
	manifest: { version: 1, id, feature: 'cart', folder: 'f', archivedAt, documents, sessions: [], complete: true },
	unshared: 0,
	left: 0,
};

test('a machine that goes in the middle of a feature keeps no other from its turn, and nothing more is done for it', async () => {
	const bytes = new Map([JSON.stringify(sheet), ...texts].map((text) => [hash('sha256', text), Buffer.from(text)]));
	const slots = createSlots(1);
	const wanted: string[] = [];
	const kept: ReportedFeature[] = [];
	let begun = () => {};
	let finish = () => {};
	const isPut = new Promise<void>((resolve) => {
		begun = resolve;
	});
	const may = new Promise<void>((resolve) => {
		finish = resolve;
	});
	const intake: FeatureIntake = createFeatureIntake({
		...{
			edge: 1,
			team: 1,
			connEpoch: 1,
			slots,
			rateLimits: createEdgeRateLimits(Date.now),
			log: createLog(() => undefined),
		},
		featureStore: {
			kept: async () => [],
			missing: async (_edge, _feature, digests) => [...digests],
			noteFile: async () => undefined,
			keep: async (listed) => kept.push(listed) > 0,
		},
		files: {
			async put() {
				begun();
				await may;
			},
			get: () => Promise.reject(new Error('not asked for here')),
		},
		send: {
			want({ feature, digest }) {
				wanted.push(digest);
				const found = bytes.get(digest) ?? Buffer.alloc(0);
				queueMicrotask(() => intake.acceptBlob({ feature, digest, bytes: found.length }, found));
			},
			kept: () => undefined,
		},
		end: (_why, reason) => expect.unreachable(reason),
	});
	intake.enqueueReported([{ id, sheet: hash('sha256', JSON.stringify(sheet)) }]);
	await isPut;
	const closed = intake.closed();
	finish();
	await closed;
	await slots.use(async () => undefined);
	expect([wanted.length, kept]).toEqual([2, []]);
});
