import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Chapter, Part } from '../contract/archives/replay.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { emptyView, fold, rowKeyOf } from '../session/fold.ts';
import { buildRecording } from './build-recording.ts';
import {
	bornIn,
	foldPart,
	instantOf,
	PART_EVENTS,
	partOf,
	type Recording,
	readEvents,
	readRows,
	seqAt,
} from './recording.ts';

const START = Date.UTC(2026, 0, 1, 12);

/** What a history is made of: which of a few calls or agents it is about, the kind of event, and how much later (s). */
interface Step {
	what: string;
	of: number;
	later: number;
}
const kinds = ['call', 'result', 'error', 'deny', 'ask', 'approve', 'agent', 'end', 'stage', 'done', 'prompt', 'over'];

const fieldsOf = ({ what, of }: Step): Record<string, unknown> => {
	const toolUseId = `t${of}`;
	const approval = { approvalId: `approval-${of}`, ...(of % 3 > 0 && { toolUseId }) };
	switch (what) {
		case 'call':
			return { type: 'tool:call', toolUseId, tool: of % 5 === 0 ? 'Agent' : 'Bash', input: { command: `ls ${of}` } };
		case 'result':
			return {
				type: 'tool:result',
				toolUseId,
				tool: 'Bash',
				response: 'x',
				...(of % 5 === 0 && { startedAgentId: `a${of}` }),
			};
		case 'error':
			return { type: 'tool:error', toolUseId, tool: 'Bash', error: 'no' };
		case 'deny':
			return { type: 'gate:verdict', toolUseId, gate: 'g', decision: 'deny', rule: 'r', reason: 'no', facts: {} };
		case 'ask':
			return {
				...{ type: 'approval:request', ...approval, tool: 'Bash', input: {}, inputDigest: 'd', denials: [] },
				deadline: new Date(START + 9e9).toISOString(),
			};
		case 'approve':
			return { type: 'approval:resolve', ...approval, decision: 'approve', by: { role: 'operator', via: 'browser' } };
		case 'agent':
			return { type: 'agent:start', agentId: `a${of}`, agent: 'developer' };
		case 'end':
			return { type: 'agent:complete', agentId: `a${of}`, agent: 'developer' };
		case 'stage':
			return { type: 'stage:start', stage: `S${of % 4}` };
		case 'done':
			return { type: 'stage:complete', stage: `S${of % 4}`, result: of % 2 === 0 ? 'pass' : 'fail' };
		case 'prompt':
			return { type: 'prompt:submit', prompt: `p${of}`, source: 'user' };
		default:
			return { type: 'session:end' };
	}
};

const historyOf = (steps: readonly Step[]): IndexedEvent[] => {
	let at = START;
	return steps.map((each, index) => {
		at += each.later * 1000;
		const envelope = { id: `e${index}`, seq: index + 1, ts: new Date(at).toISOString(), sessionId: 's' };
		return { ...envelope, category: '', label: '', ...fieldsOf(each) } as IndexedEvent;
	});
};

/** Long histories from a short pattern: much is about ever new calls, some about those of long ago. */
const histories = fc
	.record({
		pattern: fc.array(
			fc.record({
				what: fc.constantFrom(...kinds),
				of: fc.integer({ min: 0, max: 3 }),
				later: fc.integer({ min: -5, max: 300 }),
				isOld: fc.boolean(),
			}),
			{ minLength: 1, maxLength: 40 },
		),
		length: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 2 * PART_EVENTS, max: 3 * PART_EVENTS + 1 })),
		every: fc.integer({ min: 200, max: 900 }),
	})
	.map(({ pattern, length, every }) =>
		historyOf(
			Array.from({ length }, (_, position) => {
				const step = pattern[position % pattern.length] as (typeof pattern)[number];
				return { ...step, of: step.isOld ? position % every : 1_000 + position + step.of };
			}),
		),
	);

function wind(events: readonly IndexedEvent[]) {
	const parts: Part[] = [];
	const rows: Map<string, Row>[] = [];
	const chapters: Chapter[] = [];
	const known = new Map<string, Row>();
	const winding = buildRecording('s', {
		addPart(part, _endAt, changed) {
			// As it comes back from a file.
			parts.push(JSON.parse(JSON.stringify(part)));
			rows.push(new Map(changed.map((row) => [row.key, row])));
			for (const row of changed) known.set(row.key, row);
		},
		findRow: (key) => known.get(key),
		addChapter: (chapter) => chapters.push(chapter),
	});
	for (const event of events) winding.add(event);
	const outline = winding.end();
	const recording: Recording = {
		events: events.length,
		part: (index) => parts[index] as Part,
		rowsBorn: (born, last) =>
			rows.slice(born, last + 1).map((each) => [...each.values()].filter(({ seq }) => bornIn(seq) === born)),
	};
	return { recording, outline, chapters };
}

/** The whole fold, from the first event on. */
function foldAll(events: readonly IndexedEvent[]): { view: SessionView; rows: Map<string, Row> } {
	let view = emptyView('s');
	const rows = new Map<string, Row>();
	for (const event of events) {
		const step = fold(view, event, (key) => rows.get(key));
		view = step.view;
		for (const row of step.rows) rows.set(row.key, row);
	}
	return { view, rows };
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

test('R1590 what a player shows at any instant is the fold of all events up to it, whichever part it begins in', () => {
	fc.assert(
		fc.property(histories, fc.double({ min: 0, max: 1, noNaN: true }), (events, share) => {
			const { recording, outline } = wind(events);
			let last: number | null = null;
			const times = events.map((event) => {
				last = instantOf(event, last);
				return last;
			});
			expect(outline).toMatchObject({ events: events.length, from: times[0], to: times.at(-1) });
			const instant = (times[Math.floor(share * (times.length - 1))] ?? 0) - (events.length % 2);
			const seq = times.filter((at) => at <= instant).length;
			expect(seqAt(recording.part(partOf(recording, seq)), instant)).toBe(seq);
			const whole = foldAll(events.slice(0, seq));
			const part = recording.part(partOf(recording, seq));
			const state = foldPart(part, seq);
			expect(plain(state.view)).toEqual(plain(whole.view));
			const near = foldPart(part, Math.max(part.after, seq - 3));
			expect(foldPart(part, seq, near)).toEqual(state);
			const rows = [...whole.rows.values()].sort((a, b) => a.seq - b.seq);
			expect(plain(readRows(recording, seq, { limit: 200 }))).toEqual(plain(rows.slice(-200)));
			const [middle] = rows.slice(rows.length / 2);
			if (!middle) return;
			const older = rows.filter((row) => row.seq < middle.seq).slice(-50);
			expect(plain(readRows(recording, seq, { before: middle.seq, limit: 50 }))).toEqual(plain(older));
			const newer = rows.filter((row) => row.seq > middle.seq).slice(0, 50);
			expect(plain(readRows(recording, seq, { after: middle.seq, limit: 50 }))).toEqual(plain(newer));
			expect(readEvents(recording, middle.seq, 700)).toEqual(plain(events.slice(middle.seq, middle.seq + 700)));
		}),
		{ numRuns: 20 },
	);
});

test('R1590 the end of a call that began many parts ago leads to the call, as in the whole fold', () => {
	const steps = Array.from({ length: 3 * PART_EVENTS }, (_, position) => {
		const isLate = position === 3 * PART_EVENTS - 2;
		return {
			what: isLate ? 'error' : position % 2 === 0 ? 'call' : 'result',
			of: isLate ? 0 : Math.floor(position / 2),
			later: 1,
		};
	});
	const events = historyOf(steps);
	const { recording } = wind(events);
	const part = recording.part(partOf(recording, events.length));
	expect(part.recalled.map(({ key }) => key)).toEqual(['call:t0']);
	expect(plain(foldPart(part, events.length).view)).toEqual(plain(foldAll(events).view));
});

test('R1590 chapters are those of all events, each with its row and its instant', () => {
	fc.assert(
		fc.property(histories, (events) => {
			const { outline, chapters } = wind(events);
			const counts = Object.values(outline?.chapters ?? {}).reduce((sum, count) => sum + count, 0);
			expect(chapters.length).toBe(counts);
			let view = emptyView('s');
			const rows = new Map<string, Row>();
			const keys = events.map((event) => {
				const key = rowKeyOf(view, event);
				const step = fold(view, event, (each) => rows.get(each));
				view = step.view;
				for (const row of step.rows) rows.set(row.key, row);
				return key;
			});
			for (const { seq, row } of chapters) expect(keys[seq - 1]).toBe(row);
			expect(chapters.every(({ at }, index) => at >= (chapters[index - 1]?.at ?? 0))).toBe(true);
		}),
		{ numRuns: 8 },
	);
});
