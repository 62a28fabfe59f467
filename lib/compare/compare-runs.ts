import type { ComparedRun, Comparison, Divergence, StagePair, StagePass } from '../contract/archives/compare.ts';
import { alignPasses, type NumberedPass, orderPasses } from './align-passes.ts';
import { type ComparedSide, type Found, sideOf } from './compared-side.ts';
import { differenceTable, runTimes } from './difference-table.ts';
import { findDivergences } from './find-divergences.ts';
import type { RunFacts } from './record-run.ts';
import { joinSpans, workUntil } from './work-time.ts';

const MOST_DIVERGENCES = 200;

/** What is known of a run beside its events. */
export type RunHead = Pick<ComparedRun, 'kind' | 'id' | 'title' | 'feature' | 'project' | 'archivedAt'>;

/** One run to be compared. */
export interface Run {
	head: RunHead;
	facts: RunFacts;
}

/** Lays two runs side by side: where they went apart, and by how much. Which one is `a` changes nothing but the sides. */
export function compareRuns(a: Run, b: Run): Comparison {
	const two = { a: sideOf(a.facts, orderPasses(a.facts)), b: sideOf(b.facts, orderPasses(b.facts)) };
	const pairs = alignPasses(two.a.passes, two.b.passes);
	const found = findDivergences(two, pairs);
	const [placeA, placeB] = [placeViews(two.a), placeViews(two.b)];
	const divergences = found
		.flat()
		.slice(0, MOST_DIVERGENCES)
		.map(({ after: _after, ...each }): Divergence => ({ ...each, a: placeA(each.a), b: placeB(each.b) }));
	const differences = differenceTable(two.a, two.b);
	const [show, showB] = [passViews(two.a), passViews(two.b)];
	const stages = pairs.map((pair, place): StagePair => {
		const { stage = '', nth = 1 } = pair.a ?? pair.b ?? {};
		return {
			stage,
			nth,
			a: pair.a && show(pair.a),
			b: pair.b && showB(pair.b),
			divergences: found[place]?.length ?? 0,
		};
	});
	return {
		isSame: divergences.length === 0 && differences.every(({ size }) => size === 0),
		a: runView(a.head, two.a),
		b: runView(b.head, two.b),
		divergence: divergences[0] ?? null,
		divergences,
		differences,
		stages,
	};
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

function runView(head: RunHead, { facts, workflow, ended, isOpen }: ComparedSide): ComparedRun {
	const { workMs, idleMs, from, to } = runTimes(facts);
	return {
		...head,
		...(workflow !== undefined && { workflow }),
		sessions: facts.sessions.map(({ sessionId }) => sessionId),
		...{ from: iso(from), to: iso(to), isOpen, ended, workMs, idleMs },
		events: facts.sessions.reduce((sum, { events }) => sum + events, 0),
		isCut: facts.isCut,
	};
}

/** Puts places on the run's own clock. */
function placeViews({ facts }: ComparedSide): (place: Found['a']) => Divergence['a'] {
	const worked = workUntil(joinSpans(facts.sessions.flatMap(({ work }) => work)));
	return (place) => place && { ...place, ms: worked(Date.parse(place.at)) };
}

/** Shows runs of stages on the run's own clock, on which only work counts. */
function passViews({ facts }: ComparedSide): (pass: NumberedPass) => StagePass {
	const spans = joinSpans(facts.sessions.flatMap(({ work }) => work));
	const worked = workUntil(spans);
	const last = spans.at(-1)?.to ?? 0;
	return ({ stage, nth, sessionId, row, from, to, result, group, why, calls, lines, more }) => ({
		...{ stage, nth, sessionId, row, calls, lines, more },
		from: new Date(from).toISOString(),
		fromMs: worked(from),
		toMs: worked(stage === '' ? from : Math.max(from, to ?? last)),
		isOpen: stage !== '' && to === null,
		...(result !== undefined && { result }),
		...(group !== undefined && { group }),
		...(why && { why }),
	});
}
