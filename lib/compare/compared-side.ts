import type { RunPosition as ComparedPosition, ComparedRun, Divergence } from '../contract/archives/compare.ts';
import type { NumberedPass } from './align-passes.ts';
import type { RunFacts } from './record-run.ts';

/** Which of the two runs. */
export type Side = 'a' | 'b';

/** One of the two runs with all that is compared of it. */
export interface ComparedSide {
	facts: RunFacts;
	passes: readonly NumberedPass[];
	workflow?: string;
	ended: ComparedRun['ended'];
	/** A session of it goes on: what it has not come to yet is no difference. */
	isOpen: boolean;
}

/** Prepares a run's facts for being laid beside another's. */
export function sideOf(facts: RunFacts, passes: readonly NumberedPass[]): ComparedSide {
	const views = facts.sessions.map(({ view }) => view);
	const workflow = views.findLast((view) => view.workflow !== undefined)?.workflow;
	return {
		...{ facts, passes },
		...(workflow && { workflow: workflow.workflowType }),
		ended: workflow?.ended?.how ?? 'open',
		isOpen: views.some((view) => view.ended === undefined && view.lost === undefined && !view.workflow?.ended),
	};
}

/** A place whose time of work is not worked out yet. */
export type RunPosition = Omit<ComparedPosition, 'ms'>;

/** Where something stands in a run. `at` in ms since the epoch. */
export function placeOf(sessionId: string, { row, at, has }: { row: string; at: number; has: boolean }): RunPosition {
	return { sessionId, row, at: new Date(at).toISOString(), has };
}

/** Where a stage's run came to its end, as far as it did. */
export function endOf({ sessionId, row, endRow, from, to }: NumberedPass, has: boolean): RunPosition {
	return placeOf(sessionId, { row: endRow ?? row, at: to ?? from, has });
}

/** Whether something was told once the stage's run was over, before the next one began. */
export function isAfterEnd({ stage, to }: NumberedPass, mark: { at: number } | undefined): boolean {
	return stage !== '' && to !== null && mark !== undefined && mark.at > to;
}

/** Where a stage's run begins; of a run that has none, nowhere. */
export function beginOf(pass: NumberedPass | null, has: boolean): RunPosition | null {
	return pass && placeOf(pass.sessionId, { row: pass.row, at: pass.from, has });
}

/** A divergence with its instant within its stage's run, by which those of one run are put in order. */
export interface Found extends Omit<Divergence, 'a' | 'b'> {
	a: RunPosition | null;
	b: RunPosition | null;
	/** Ms from the beginning of the stage's run, in the side where it came first. */
	after: number;
}
