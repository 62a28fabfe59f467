import { listArchives, readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import type { SessionArchives } from '#lib/contract/archives/retention.ts';
import { inTurns } from '../../process/in-turns.ts';
import type { Log } from '../../process/log.ts';
import { repeat } from '../../process/repeat.ts';
import { applyRetention, type PrunePorts, pruneSubject, readPlan } from './apply-retention.ts';
import { finishRemovals } from './remove-item.ts';

const INTERVAL_MS = 6 * 60 * 60 * 1000;

export type Retention = ReturnType<typeof createRetention>;

/** Shows what retention would remove, and removes it every six hours if the policy says so. */
export function createRetention(options: { ports: PrunePorts; whenCopied: () => Promise<void>; log: Log }) {
	const { ports, whenCopied, log } = options;
	const { home, journal, now } = ports;
	let stopped = false;
	let work: Promise<void> = Promise.resolve();
	let end = (): void => undefined;
	const failed = (what: string, error: unknown) =>
		log.error('Something that the retention removes could not be removed; it is tried again', error, { what });

	async function prune(): Promise<void> {
		const { policy } = await readPlan(ports);
		if (!policy.automatic || stopped) return;
		// A session that is not copied yet would stay.
		await whenCopied();
		const { remove, bytes } = await applyRetention(ports, { by: 'policy', failed, stopped: () => stopped });
		if (remove.length > 0) log.info('Removed what the retention no longer keeps', { removed: remove.length, bytes });
	}

	function* holdersOf(sessionId: string): Generator<undefined, { id: string; feature: string; at: number }[]> {
		const found: { id: string; feature: string; at: number }[] = [];
		for (const id of listArchives(home, now())) {
			const origin = readOrigin(home, id);
			if (origin?.sessions.includes(sessionId) && !origin.imported)
				found.push({ id, feature: origin.feature, at: origin.archivedAt });
			yield;
		}
		return found.sort((one, other) => other.at - one.at);
	}

	return {
		/** What would be removed now. */
		plan: () => readPlan(ports),
		/** The archives of this home with a session, newest first. */
		async archivesOf(sessionId: string): Promise<SessionArchives> {
			const holders = await inTurns(holdersOf(sessionId));
			const row = journal
				.bySubject(pruneSubject({ what: 'session', id: sessionId }))
				.findLast(({ kind }) => kind === 'archive:prune');
			return { archives: holders.map(({ id, feature }) => ({ id, feature })), removedAt: row?.ts ?? null };
		},
		/** Finishes interrupted removals, then prunes every six hours. */
		start() {
			const runOnce = () => {
				work = work.then(prune).catch((error: unknown) => failed('anything', error));
				return work;
			};
			work = finishRemovals(home, (error) => failed('an earlier removal', error)).catch((error: unknown) =>
				failed('an earlier removal', error),
			);
			void runOnce();
			end = repeat(INTERVAL_MS, runOnce, () => undefined);
		},
		/** Resolves when running work is done. */
		whenSettled: () => work,
		async stop() {
			stopped = true;
			end();
			await work;
		},
	};
}
