import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdSettings } from '#hooks-bridge/engine/facts.ts';
import { release } from '#hooks-bridge/engine/release.ts';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { Ports, SealedEvent } from '#hooks-bridge/ports/ports.ts';
import { recordedEvents } from '#hooks-bridge/testing/recorded-events.ts';
import type { Instant } from '#lib/approvals/ticket.ts';
import type { GrantSource } from '#lib/contract/approvals/grants.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { hookScript } from '../../scripts/bundle-hook.mjs';
import { createApprovalService } from '../approvals/approval-service.ts';
import { createGrantService } from '../approvals/grants/grant-service.ts';
import { type GrantSubject, grantSubjectOf } from '../approvals/grants/grant-subject.ts';
import { createOutbox } from '../approvals/outbox.ts';
import type { Presence } from '../approvals/presence.ts';
import { openPrintedDenials } from '../approvals/printed-denials.ts';
import type { ReleaseCall } from '../approvals/release-in-two-steps.ts';
import { createDoor } from '../door/door.ts';
import { ticketsOf } from '../door/exchange.ts';
import { createLog } from '../process/log.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import { askDoor, type DoorRequest } from './ask-door.ts';

export const operator: Decider = { role: 'operator', via: 'token' };

interface RigOptions {
	release?: ReleaseCall;
	home?: string;
	forcedHoldSeconds?: number | null;
	presence?: () => Presence;
	/** How much later than the machine's clock it is, in ms. */
	skewMs?: number;
	/** Stands between the service and the journal, to make it fail or wait. */
	wrapJournal?: (journal: JournalStore) => JournalStore;
}

/** What a hook run printed. */
export interface Printed {
	stdout: string;
	code: number | null;
}

/** A home and a project whose routing plan expects `developer` only. */
export function createServiceHome(home = mkdtempSync(join(tmpdir(), 'signalbox-service-'))) {
	const project = join(home, 'project');
	const planFolder = join(project, '.vibe-engine');
	mkdirSync(planFolder, { recursive: true });
	const plan = (agent: string) => {
		const phases = [{ phase: 1, tasks: [{ id: 't1', agent, status: 'pending' }] }];
		writeFileSync(
			join(planFolder, 'routing-state.json'),
			JSON.stringify({ planId: 'plan-1', status: 'in_progress', phases }),
		);
	};
	plan('developer');
	return { home, project, plan };
}

/** A hook input that the plan denies. */
export function deniedCall(project: string, id: string, extra: Record<string, unknown> = {}) {
	return {
		session_id: 's1',
		cwd: project,
		hook_event_name: 'PreToolUse',
		tool_name: 'Task',
		tool_input: { subagent_type: 'architect', description: 'Design it', prompt: 'design' },
		tool_use_id: id,
		...extra,
	};
}

/** Runs the real hook over one input, as the client would. */
export function startHook(home: string, input: unknown, environment: Record<string, string> = {}, timeout = '60') {
	const { PATH = '' } = process.env;
	const hook = join(home, 'hook.sh');
	writeFileSync(hook, hookScript());
	const child = spawn('sh', [hook, 'open', timeout], {
		env: { NODE_ENV: 'test', PATH, HOME: home, OVERTONE_HOME: home, ...environment },
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	child.stdin.end(JSON.stringify(input));
	let stdout = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
	});
	const printed = once(child, 'close').then(([code]): Printed => ({ stdout, code }));
	return { child, printed };
}

/** A service and a door over a real journal, real timelines and a real socket; the clock moves by hand. */
export async function startService(options: RigOptions = {}) {
	const { home, project, plan } = createServiceHome(options.home);
	const seen = new EventEmitter().setMaxListeners(0);
	const logged: string[] = [];
	const log = createLog((line) => logged.push(line));
	const nodePorts = createNodePorts({ home });
	const appended: SealedEvent[] = [];
	const ports: Ports = {
		...nodePorts,
		append(sessionId, events) {
			nodePorts.append(sessionId, events);
			appended.push(...events);
			for (const event of events) seen.emit(event.type, event);
		},
	};
	let skew = options.skewMs ?? 0;
	let setBack = 0;
	const clock = (): Instant => ({ wall: Date.now() + skew - setBack, monotonic: performance.now() + skew });
	const journal = await openSqliteJournal(join(home, 'journal.db'));
	const means = {
		journal: options.wrapJournal?.(journal) ?? journal,
		ports,
		release: options.release ?? release,
		log,
		clock,
	};
	const outbox = createOutbox(means);
	const grants = createGrantService({ ...means, outbox });
	const service = createApprovalService({
		...means,
		outbox,
		grants,
		holdSeconds: () => 120,
		observes: holdSettings(ports).observes,
		presence: options.presence ?? (() => 'here'),
		printedDenials: openPrintedDenials(home),
		forcedHoldSeconds: options.forcedHoldSeconds ?? null,
	});
	const observed = {
		...service,
		wait(id: string, signal: AbortSignal) {
			const waiting = service.wait(id, signal);
			seen.emit('waiting', id);
			return waiting;
		},
	};
	const socketPath = join(home, 'bridge.sock');
	const door = createDoor({ socketPath, ports, respond, tickets: ticketsOf(observed), log });
	await service.start();
	await grants.start();
	await door.listen();

	const timelineOf = (sessionId?: string) => recordedEvents(home, sessionId);

	return {
		home,
		project,
		plan,
		journal,
		service,
		grants,
		door,
		ports,
		logged,
		told: appended,
		socketPath,
		/** Moves both clocks, then lets the service look once. */
		async advance(ms: number) {
			skew += ms;
			await service.sweep();
			await grants.sweep();
		},
		/** Somebody sets the wall clock back. */
		setClockBack(ms: number) {
			setBack += ms;
		},
		/** Resolves with the next event of a type that is appended, or `waiting` with the id of a polled ticket. */
		next: async <T = SealedEvent>(name: string): Promise<T> => (await once(seen, name))[0] as T,
		/** A denied call as the index would find it: its events are read from the timeline. */
		denied: (source: GrantSource): Promise<GrantSubject> =>
			grantSubjectOf(source, {
				approval: service.get,
				reads: {
					events: async (sessionId) =>
						timelineOf(sessionId)
							.filter(({ toolUseId }) => toolUseId === source.toolUseId)
							.map((event, index) => ({ ...event, seq: index + 1 }) as unknown as IndexedEvent),
				},
			}),
		timeline: timelineOf,
		post: (input: unknown, headers: Record<string, string> = {}) =>
			askDoor(socketPath, {
				path: '/hooks/claude-code',
				body: typeof input === 'string' ? input : JSON.stringify(input),
				headers,
			}),
		poll: (path: string) => askDoor(socketPath, { method: 'GET', path }),
		ask: (request: DoorRequest) => askDoor(socketPath, request),
		hook: (input: unknown, environment?: Record<string, string>, timeout?: string) =>
			startHook(home, input, environment, timeout),
		async stop() {
			await service.stop();
			grants.stop();
			await door.close();
			await journal.close();
			nodePorts.close();
		},
	};
}

export type ServiceRig = Awaited<ReturnType<typeof startService>>;

/** The headers of a hook with the given timeout in seconds. */
export const hookHeaders = (requestId: string, timeout = 60) => ({
	'x-signalbox-request': requestId,
	'x-signalbox-profile': 'open',
	'x-signalbox-timeout': String(timeout),
});

/** The decision that a hook printed, or what it printed instead. */
export function decisionIn(text: string): { decision: unknown; reason: string } {
	const { hookSpecificOutput: specific } = JSON.parse(text);
	return { decision: specific.permissionDecision, reason: specific.permissionDecisionReason };
}
