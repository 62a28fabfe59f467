import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { KnownEvent } from '#lib/contract/events/event.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { foldWorkflowState } from '#lib/workflow/workflow-fold.ts';
import { runFallback } from './hook-process.ts';
import type { Storm, StormRun } from './hook-storm.ts';
import { signalbox } from './signalbox-command.ts';

interface Line {
	id: string;
	type: string;
	text: string;
}

/**
 * The lines of a session in their order. A door that answered too late and the hook that judged by itself may both write
 * one event: its id is the same, and every reader takes the first (R22).
 */
function linesOf(storm: Storm, sessionId: string): { lines: Line[]; torn: number; repeated: number } {
	const text = readFileSync(join(storm.server.home, 'sessions', sessionId, 'timeline.jsonl'), 'utf8');
	const all = text.split('\n').filter((line) => line !== '');
	const whole = all.flatMap((line): Line[] => {
		try {
			const { id, type } = JSON.parse(line) as { id: string; type: string };
			return [{ id, type, text: line }];
		} catch {
			return [];
		}
	});
	const ids = new Set<string>();
	const lines = whole.filter(({ id }) => ids.size < ids.add(id).size);
	return { lines, torn: all.length - whole.length, repeated: whole.length - lines.length };
}

/** The sequence of the index, as a tool reads it. */
async function indexed(storm: Storm, token: string, sessionId: string): Promise<{ id: string; seq: number }[]> {
	const found: { id: string; seq: number }[] = [];
	for (;;) {
		const after = found.at(-1)?.seq ?? 0;
		const answer = await fetch(
			`http://127.0.0.1:${storm.server.port}/api/sessions/${sessionId}/events?after=${after}&limit=1000`,
			{ headers: { authorization: `Bearer ${token}` } },
		);
		const { events } = (await answer.json()) as { events: typeof found };
		if (events.length === 0) return found;
		found.push(...events);
	}
}

/** Asks until the index has as many events as the timeline has lines, at most a minute. */
async function settled(storm: Storm, token: string, sessionId: string, wanted: number) {
	for (let left = 600; ; left -= 1) {
		const events = await indexed(storm, token, sessionId);
		if (events.length >= wanted || left === 0) return events;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}

/** The state that its files say, and what the whole timeline says; both must be one. */
function states(storm: Storm, sessionId: string, lines: readonly Line[]) {
	const events = lines.map(({ text }) => JSON.parse(text) as KnownEvent);
	const folded = events.reduce<WorkflowState | null>(foldWorkflowState, null);
	const ports = createNodePorts({ home: storm.server.home });
	try {
		const plain = (state: WorkflowState | null) => JSON.parse(JSON.stringify(state)) as WorkflowState | null;
		return { folded: plain(folded), stored: plain(ports.flow.read(sessionId).workflow) };
	} finally {
		ports.close();
	}
}

/** Looks for everything that a storm must not lose. `losses` is empty when nothing was lost. */
export async function lossesOf(storm: Storm): Promise<{ counts: Record<string, number>; losses: string[] }> {
	const losses: string[] = [];
	const counts: Record<string, number> = {
		hooks: storm.runs.length,
		'through hook.sh': storm.runs.filter(({ way }) => way === 'door').length,
		'server killed and started': storm.kills,
	};
	const count = (what: string, by: number): void => {
		counts[what] = (counts[what] ?? 0) + by;
	};
	const token = await signalbox(storm.server.home, ['token', 'create', '--role', 'viewer']);
	for (const sessionId of new Set(storm.runs.map((run) => run.sessionId))) {
		const runs = storm.runs.filter((run) => run.sessionId === sessionId);
		// A last hook that is sure to write down what the others have told.
		const last = {
			session_id: sessionId,
			cwd: storm.project,
			hook_event_name: 'Stop',
			background_tasks: [{ id: 'x', type: 'subagent' }],
		};
		await runFallback(storm.server.home, last);
		const { lines, torn, repeated } = linesOf(storm, sessionId);
		count('lines', lines.length);
		count('torn lines', torn);
		count('written twice under one id', repeated);
		count('lock not had in time', lines.filter(({ text }) => text.includes('"workflow/lock-busy"')).length);
		losses.push(...eventLosses(runs, lines));

		const index = await settled(storm, token, sessionId, lines.length);
		const known = index.filter(({ id }) => lines.some((line) => line.id === id)).map(({ id }) => id);
		count('indexed events', known.length);
		if (JSON.stringify(known) !== JSON.stringify(lines.map(({ id }) => id))) {
			const missing = lines.filter(({ id }) => !known.includes(id)).map(({ id }) => id);
			losses.push(
				`${sessionId}: the index has ${known.length} events of ${lines.length} lines, or another order; missing: ${missing.join(' ')}`,
			);
		}

		const { folded, stored } = states(storm, sessionId, lines);
		if (!isDeepStrictEqual(folded, stored)) {
			losses.push(`${sessionId}: workflow.json is not the fold: ${JSON.stringify(stored)} / ${JSON.stringify(folded)}`);
		}
		if (folded) {
			const attempts = Object.values(folded.stages).flatMap((stage) => stage.attempts ?? []).length;
			count('stage results', attempts);
			if (Object.keys(folded.activeAgents).length > 0) {
				losses.push(`${sessionId}: agents that ended are still at work: ${JSON.stringify(folded.activeAgents)}`);
			}
		}
		const left = readdirSync(join(storm.server.home, 'sessions', sessionId)).filter((name) =>
			/lock|\.[0-9a-f-]{36}$/.test(name),
		);
		count('lock and half files left', left.length);
	}
	return { counts, losses };
}

/** A hook that has ended is there once, whoever died meanwhile. */
function eventLosses(runs: readonly StormRun[], lines: readonly Line[]): string[] {
	return runs.flatMap(({ leaves, way, end, input }) => {
		const name = `${leaves.type} ${leaves.marker} (${way} ${String(input.hook_event_name)})`;
		const found = lines.filter(({ type, text }) => type === leaves.type && text.includes(leaves.marker)).length;
		return [
			...(end.exitCode === 0 ? [] : [`${name} ended with ${end.exitCode}: ${end.stderr}`]),
			...(found === 1 ? [] : [`${name} is there ${found} times: ${end.stdout}`]),
		];
	});
}
