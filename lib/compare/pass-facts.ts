import type { DivergenceKind, StoryLine } from '../contract/archives/compare.ts';

/** Something in a stage's run that can be otherwise in another run's; `name` is what the two are matched by. */
export interface Mark {
	kind: Extract<DivergenceKind, 'agent' | 'mismatch' | 'denial' | 'stop' | 'override' | 'review' | 'failure' | 'call'>;
	name: string;
	/** For a person, one line of agent text. */
	text: string;
	row: string;
	/** Ms since the epoch. */
	at: number;
}

/** One run of a stage, from its beginning to that of the next one; before the first stage its name is empty. */
export interface PassFacts {
	sessionId: string;
	stage: string;
	/** Ms since the epoch; `to` is null while it runs. */
	from: number;
	to: number | null;
	result?: string;
	/** The row that began it, and the one that ended it. */
	row: string;
	endRow?: string;
	/** One announced group of stages that may run side by side. */
	group?: string;
	/** Why a stage was to be done again, said before this run. */
	why?: string;
	calls: number;
	marks: Mark[];
	lines: StoryLine[];
	/** Lines that were left out. */
	more: number;
}

/** How much is kept of a run, however long it is. */
export const MOST = { passes: 300, marks: 60, lines: 24, calls: 2000 } as const;

/** A run of a stage that begins now. */
export function beginPass(begin: Pick<PassFacts, 'sessionId' | 'stage' | 'from' | 'to' | 'row'>): PassFacts {
	return { ...begin, calls: 0, marks: [], lines: [], more: 0 };
}
