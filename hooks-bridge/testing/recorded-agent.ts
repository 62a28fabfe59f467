import { readFileSync } from 'node:fs';
import { parseEvent } from '#lib/contract/events/event.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { emptyView, fold } from '#lib/session/fold.ts';
import { respond } from '../engine/respond.ts';
import { type MemoryPorts, memoryPorts } from './memory-ports.ts';

/** One input of a real client, and the event under which its hook was registered. */
export interface RecordedInput {
	run: string;
	registered: string;
	input: Record<string, unknown>;
}

/** The inputs that a real client passed to its hooks, in order. */
export function recordedInputs(agent: string, run?: string): RecordedInput[] {
	const path = new URL(`../../e2e/fixtures/${agent}-hook-inputs.jsonl`, import.meta.url);
	const all = readFileSync(path, 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as RecordedInput);
	return run === undefined ? all : all.filter((recorded) => recorded.run === run);
}

/** Answers inputs as hooks of a client, each in a run of its own; returns what they print. */
export function answerAll(agent: string, inputs: readonly unknown[], ports: MemoryPorts = memoryPorts()) {
	return inputs.map((input, n) => {
		const raw = typeof input === 'string' ? input : JSON.stringify(input);
		return respond(
			raw,
			{ agent, requestId: `run-${ports.all().length}-${n}`, profile: 'open', timeoutSeconds: 60 },
			ports,
		);
	});
}

/** The view of a session, from its recorded events. */
export function pageOf(ports: MemoryPorts, sessionId: string): { view: SessionView; rows: Row[] } {
	const rows = new Map<string, Row>();
	let view = emptyView(sessionId);
	for (const [index, line] of (ports.timelines.get(sessionId) ?? []).entries()) {
		const event = parseEvent(line);
		if (!event) throw new Error(`no event: ${JSON.stringify(line)}`);
		const folded = fold(view, { ...event, seq: index + 1 } as never, (key) => rows.get(key));
		view = folded.view;
		for (const row of folded.rows) rows.set(row.key, row);
	}
	return { view, rows: [...rows.values()] };
}
