import { randomUUID } from 'node:crypto';
import type { RetentionItem, RetentionKept, RetentionPlan } from '#lib/contract/archives/retention.ts';
import { planRetention } from '#lib/retention/plan-retention.ts';
import { inTurns } from '../features/in-turns.ts';
import { type CheckPorts, createItemCheck } from './check-item.ts';
import { type RetentionPorts, readFacts } from './read-facts.ts';
import { finishRemovals, removeItem, type Step } from './remove-item.ts';

/** What removing needs of the machine. */
export type PrunePorts = RetentionPorts & CheckPorts;

/** How something is removed. */
export interface Pruning {
	/** Who asked: a person at the command line, or the policy that says so. */
	by: 'command' | 'policy';
	failed: (what: string, error: unknown) => void;
	/** Ends it after what is being removed. */
	stopped?: () => boolean;
	step?: Step;
}

/** What the policies would remove now, as the files look; nothing has been compared. */
export async function readPlan(world: RetentionPorts): Promise<RetentionPlan> {
	return planRetention(await inTurns(readFacts(world)));
}

/** The plan with all that would not stand the comparison moved to what stays. */
export async function checkPlan(plan: RetentionPlan, world: CheckPorts): Promise<RetentionPlan> {
	const check = createItemCheck(world);
	const remove: RetentionItem[] = [];
	const kept: RetentionKept[] = [...plan.kept];
	for (const item of plan.remove) {
		const because = await check(item);
		const { what, id, archive, feature } = item;
		if (because === null) remove.push(item);
		else kept.push({ what, id, archive, feature, because });
	}
	return { ...plan, remove, kept, bytes: remove.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/**
 * Removes what the policies name and the comparison allows, one after another; the journal has each first. What an
 * earlier run left half removed is ended before. Gives what was removed and what stayed; what fails is told and stays.
 */
export async function applyRetention(world: PrunePorts, pruning: Pruning): Promise<RetentionPlan> {
	const { by, failed, stopped = () => false, step = () => undefined } = pruning;
	const { home, journal } = world;
	await finishRemovals(home, (error) => failed('an earlier removal', error), step);
	const plan = await readPlan(world);
	const check = createItemCheck(world);
	const done: RetentionItem[] = [];
	const kept = [...plan.kept];
	for (const item of plan.remove) {
		if (stopped()) break;
		const { what, id, archive, feature, project, bytes, why } = item;
		const because = await check(item);
		if (because !== null) {
			kept.push({ what, id, archive, feature, because });
			continue;
		}
		try {
			const payload = { what, id, archive, feature, project, bytes, why, policy: plan.policy, by: { via: by } };
			const session = what === 'session' && { sessionId: id };
			await journal.append({
				id: randomUUID(),
				kind: 'archive:prune',
				subject: pruneSubject(item),
				...session,
				payload,
			});
			step();
			await removeItem(home, item, step);
			done.push(item);
		} catch (error) {
			failed(`${what} ${id}`, error);
		}
	}
	return { ...plan, remove: done, kept, bytes: done.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Under which subject the journal has what was removed. */
export const pruneSubject = ({ what, id }: Pick<RetentionItem, 'what' | 'id'>) => `${what}:${id}`;
