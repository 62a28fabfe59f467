import { listArchives, readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import type { RetentionPlan, SessionArchives } from '#lib/contract/archives/retention.ts';
import type { Log } from '../../process/log.ts';
import { repeat } from '../../process/repeat.ts';
import { inTurns } from '../features/in-turns.ts';
import { applyRetention, type PrunePorts, pruneSubject, readPlan } from './apply-retention.ts';
import { finishRemovals } from './remove-item.ts';

/** How often is looked for what the policy lets go. */
const AGAIN_MS = 6 * 60 * 60 * 1000;

/** What the server does about retention: it shows the plan, and removes by itself only where the policy says so. */
export interface Retention {
	/** What would go now, as the files look. */
	plan(): Promise<RetentionPlan>;
	/** Which archives of this home keep a session, the newest first. */
	archivesOf(sessionId: string): Promise<SessionArchives>;
	/** Ends what died in between; then, every six hours, what the policy wants done. */
	start(): void;
	/** Resolves when what was begun is done. */
	whenSettled(): Promise<void>;
	stop(): Promise<void>;
}

export function createRetention(options: { world: PrunePorts; whenKept: () => Promise<void>; log: Log }): Retention {
	const { world, whenKept, log } = options;
	const { home, journal, now } = world;
	let stopped = false;
	let work: Promise<void> = Promise.resolve();
	let end = (): void => undefined;
	const failed = (what: string, error: unknown) =>
		log.error('Something that the retention removes could not be removed; it is tried again', error, { what });

	async function prune(): Promise<void> {
		const { policy } = await readPlan(world);
		if (!policy.automatic || stopped) return;
		// What archives have not copied yet would only stay.
		await whenKept();
		const { remove, bytes } = await applyRetention(world, { by: 'policy', failed, stopped: () => stopped });
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
		plan: () => readPlan(world),
		async archivesOf(sessionId) {
			const holders = await inTurns(holdersOf(sessionId));
			const row = journal
				.bySubject(pruneSubject({ what: 'session', id: sessionId }))
				.findLast(({ kind }) => kind === 'archive:prune');
			return { archives: holders.map(({ id, feature }) => ({ id, feature })), removedAt: row?.ts ?? null };
		},
		start() {
			const turn = () => {
				work = work.then(prune).catch((error: unknown) => failed('anything', error));
				return work;
			};
			work = finishRemovals(home, (error) => failed('an earlier removal', error)).catch((error: unknown) =>
				failed('an earlier removal', error),
			);
			void turn();
			end = repeat(AGAIN_MS, turn, () => undefined);
		},
		whenSettled: () => work,
		async stop() {
			stopped = true;
			end();
			await work;
		},
	};
}
