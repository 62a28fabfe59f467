import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { filesOf } from '#lib/contract/archives/features.ts';
import type { EdgeFrame } from '#lib/contract/hub/hub-wire.ts';
import type { Log } from '../../process/log.ts';
import type { EdgeRateLimits } from '../timelines/edge-rate-limits.ts';
import { type FeatureFiles, type FeatureKeeping, readSheet } from './feature-store.ts';

const ANSWER_MS = 60_000;
const AGAIN_MS = 30_000;
const MOST_TOLD = 20_000;
const EVENTS_A_KIB = 1;
const AT_ONCE = 500;

export interface FeatureIntakeOptions extends FeatureKeeping {
	edge: number;
	team: number;
	connEpoch: number;
	paces: EdgeRateLimits;
	log: Log;
	send: {
		want: (wish: { feature: string; digest: string }) => void;
		kept: (feature: { feature: string; sheet: string }) => void;
	};
	end: (why: 'bad' | 'later', reason: string) => void;
}

type Blob = Extract<EdgeFrame, { type: 'blob' }>['header'];

class BadFeature extends Error {}
class EdgeGone extends Error {}

/**
 * Brings a machine's archived features to the hub: the sheet, then missing files, the database row last. An
 * interruption leaves nothing listed.
 */
export function createFeatureIntake(options: FeatureIntakeOptions) {
	const { edge, team, connEpoch, featureStore, files, slots, paces, log, send, end } = options;
	const queue = new Map<string, string>();
	const closing = new AbortController();
	const { signal } = closing;
	let wanted: { feature: string; digest: string; take: (bytes: Buffer | null) => void } | undefined;
	let work: Promise<void> | undefined;

	async function ask(feature: string, digest: string): Promise<Buffer | null> {
		// The connection may have ended since the last answer.
		if (signal.aborted) throw new EdgeGone();
		const bytes = await new Promise<Buffer | null>((resolve, reject) => {
			const finishSheet = () => {
				wanted = undefined;
				clearTimeout(timer);
				signal.removeEventListener('abort', gone);
			};
			const gone = () => {
				finishSheet();
				reject(new EdgeGone());
			};
			const timer = setTimeout(gone, ANSWER_MS).unref();
			signal.addEventListener('abort', gone, { once: true });
			wanted = {
				...{ feature, digest },
				take(given) {
					finishSheet();
					resolve(given);
				},
			};
			send.want({ feature, digest });
		});
		const ms = paces.spend(edge, 1 + ((bytes?.length ?? 0) / 1024) * EVENTS_A_KIB);
		if (ms) await sleep(ms, undefined, { ref: false, signal }).catch(() => undefined);
		return bytes;
	}

	async function bring(id: string, digest: string) {
		const text = (await ask(id, digest))?.toString('utf8');
		// It has changed, and is announced again.
		if (text === undefined) return;
		const sheet = readSheet(id, text);
		if (typeof sheet === 'string') throw new BadFeature(sheet);
		if (files) await bringFiles(files, id, filesOf(sheet.manifest));
		if (await featureStore.keep({ edge, connEpoch, digest, text, sheet, stored: files !== undefined }))
			send.kept({ feature: id, sheet: digest });
	}

	async function bringFiles(store: FeatureFiles, feature: string, named: readonly { sha256: string }[]) {
		const missing = await featureStore.missing(
			edge,
			feature,
			named.map(({ sha256 }) => sha256),
		);
		for (const digest of missing) {
			await slots.use(async () => {
				const bytes = await ask(feature, digest);
				if (bytes) await store.put({ team, edge, feature, digest }, bytes);
				await featureStore.noteFile(edge, feature, digest, bytes?.length ?? null);
			});
		}
	}

	async function run() {
		while (queue.size > 0 && !signal.aborted) {
			const sheets = [...queue].slice(0, AT_ONCE).map(([id, sheet]) => ({ id, sheet }));
			const kept = await featureStore.kept(edge, sheets, files !== undefined);
			const known = new Set(kept.map(({ id }) => id));
			for (const { id, sheet } of kept) send.kept({ feature: id, sheet });
			for (const { id, sheet } of sheets) {
				if (!known.has(id) && queue.get(id) === sheet) await bring(id, sheet);
				if (queue.get(id) === sheet) queue.delete(id);
			}
		}
	}

	function kick() {
		work ??= run()
			.catch(async (error: unknown) => {
				if (error instanceof BadFeature) return end('bad', error.message);
				if (signal.aborted) return;
				if (error instanceof EdgeGone) return queue.clear();
				const reason = error instanceof Error && 'reason' in error ? error.reason : error;
				log.warn('hub: an archived feature could not be kept, and is tried again', { edge, reason: String(reason) });
				await sleep(AGAIN_MS, undefined, { ref: false, signal }).catch(() => undefined);
			})
			.finally(() => {
				work = undefined;
				if (queue.size > 0 && !signal.aborted) kick();
			});
	}

	return {
		told(features: readonly { id: string; sheet: string }[]) {
			if (queue.size + features.length > MOST_TOLD) return end('bad', 'more archived features than a hub takes');
			for (const { id, sheet } of features) queue.set(id, sheet);
			kick();
		},
		took({ feature, digest, gone }: Blob, bytes: Buffer) {
			// It may arrive after it was given up.
			if (wanted?.feature !== feature || wanted.digest !== digest) return;
			if (!gone && hash('sha256', bytes) !== digest) return end('bad', 'a blob that is not what was wanted');
			wanted.take(gone ? null : bytes);
		},
		async closed() {
			closing.abort();
			await work;
		},
	};
}

export type FeatureIntake = ReturnType<typeof createFeatureIntake>;
