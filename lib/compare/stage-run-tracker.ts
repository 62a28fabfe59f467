import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import type { StageRun } from '../contract/sessions/read-model/session-view.ts';
import { stageBase } from '../workflow/stage-keys.ts';
import { beginPass, MOST, type PassFacts } from './pass-facts.ts';

type Runs = readonly StageRun[];
const NONE: Runs = [];

/** An event and its row of the story. */
interface RowEvent {
	event: KnownEvent;
	row: string;
}

/** Follows the runs of one session's stages, and tells in which of them an event stands. */
export function stageRunTracker(sessionId: string) {
	const passes: PassFacts[] = [];
	/** How many runs the view no longer has. */
	let dropped = 0;
	let isCut = false;
	let announced: { group: string; stages: readonly string[] } | undefined;
	let groups = 0;
	let why: string | undefined;

	function open(from: number, row: string): PassFacts {
		const first = passes[0] ?? beginPass({ sessionId, stage: '', from, to: null, row });
		passes[0] = first;
		return first;
	}

	/** The view's runs before and after an event that has changed them. */
	function follow(before: Runs, after: Runs, { event, row }: RowEvent): void {
		const isNew = after.length > before.length || (after.length > 1 && after[0] === before[1]);
		if (isNew && after.length === before.length) dropped += 1;
		const changed = isNew ? after.length - 1 : after.findIndex((run, index) => run !== before[index]);
		for (const [index, run] of after.entries()) {
			if (index < changed || run === before[index]) continue;
			const place = dropped + index + 1;
			if (isNew) begin(run, row, place);
			const pass = passes[place];
			if (pass) close(pass, run, { event, row });
		}
	}

	function announce({ group = '', stages = [] }: EventOf<'parallel:start'>): void {
		groups += 1;
		announced = { group: `${group} ${groups}`, stages };
		for (const pass of passes) if (pass.to === null && isOneOf(stages, pass.stage)) pass.group = announced.group;
	}

	function begin({ stage, from }: StageRun, row: string, place: number): void {
		isCut ||= place >= MOST.passes;
		if (isCut) return;
		const pass = beginPass({ sessionId, stage, from, to: null, row });
		if (announced && isOneOf(announced.stages, stage)) pass.group = announced.group;
		if (why !== undefined) pass.why = why;
		why = undefined;
		passes.push(pass);
	}

	return {
		/** `row` is the event's place in the story. */
		add(event: KnownEvent, row: string, runs: { before: Runs | undefined; after: Runs | undefined }): void {
			open(Date.parse(event.ts), row);
			if (event.type === 'parallel:start') announce(event);
			if (event.type === 'parallel:converge') announced = undefined;
			if (event.type === 'stage:retry' && event.retroCount === undefined) why = event.reason ?? '';
			if (runs.after && runs.after !== runs.before) follow(runs.before ?? NONE, runs.after, { event, row });
		},

		/** The run in which something stands: that of its stage, else the one that began last. */
		passOf(stage: string | undefined, at: number, row: string): PassFacts {
			const first = open(at, row);
			const own = stage && passes.findLast((pass) => pass.stage === stage || stageBase(pass.stage) === stage);
			return own || (passes.at(-1) ?? first);
		},

		passes: (): readonly PassFacts[] => passes,
		isCut: () => isCut,
	};
}

const isOneOf = (stages: readonly string[], stage: string) =>
	stage !== '' && (stages.includes(stage) || stages.includes(stageBase(stage)));

function close(pass: PassFacts, { stage, to, result }: StageRun, { event, row }: RowEvent): void {
	pass.stage = stage;
	pass.to = to;
	if (to !== null) pass.endRow = row;
	const told = event.type === 'stage:complete' && event.source === 'none' ? 'unclear' : result?.toLowerCase();
	if (told !== undefined && to !== null) pass.result = told;
}
