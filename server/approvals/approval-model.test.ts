import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { digestOfCall } from '#hooks-bridge/engine/draft-events.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { DeniedCall } from '#hooks-bridge/ports/denied-call.ts';
import type { Instant } from '#lib/approvals/ticket.ts';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { createLog } from '../process/log.ts';
import { operator } from '../testing/service-rig.ts';
import type { JournalKind, JournalStore } from '../timeline/store/journal-store.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import { type ApprovalService, createApprovalService } from './approval-service.ts';
import { createOutbox } from './outbox.ts';
import type { TicketOutcome } from './ticket-port.ts';

vi.setConfig({ testTimeout: 3_600_000 });

const ENDS = ['approval:resolve', 'approval:expire', 'approval:abandon'] as const satisfies readonly JournalKind[];
const LIVING = process.pid;

/** A ticket as it must be. */
interface ModelTicket {
	id: string;
	key: string;
	server: number;
	state: 'waiting' | 'decided' | 'gone';
	deadline: Instant;
	decidedAt: Instant | null;
	/** Set when its hook was killed. */
	absentSince: number | null;
	client: 'lives' | 'dead';
}
interface Model {
	now: Instant;
	server: number;
	tickets: ModelTicket[];
}
/** A hook that waits for a ticket, and its answer. */
interface Waiting {
	id: string;
	hook: AbortController;
	outcome: TicketOutcome | null;
}
interface Setting {
	service: ApprovalService;
	waiting: Waiting[];
	/** Client numbers that are no process any more. */
	dead: Set<number>;
	/** The server dies when the next decision is written, before anybody learns of it. */
	diesAtDecision: boolean;
	written: () => void;
	crash(): Promise<void>;
}
type Command = fc.AsyncCommand<Model, Setting>;

let folder: string;
let journal: JournalStore;
let ports: ReturnType<typeof createNodePorts>;
const openHome = async () => {
	folder = mkdtempSync(join(tmpdir(), 'signalbox-model-'));
	journal = await openSqliteJournal(join(folder, 'journal.db'));
	ports = createNodePorts({ home: folder });
};
const closeHome = async () => {
	await journal.close();
	ports.close();
	rmSync(folder, { recursive: true, force: true });
};
beforeAll(openHome);
afterAll(closeHome);

let serial = 0;
const counts = { decided: 0, refused: 0, crashes: 0, allowed: 0 };

function heldCall(key: string, pid: number): DeniedCall {
	const input = { command: `make ${key}` };
	return {
		sessionId: key.split(' ')[0] ?? key,
		tool: 'Bash',
		input,
		inputDigest: digestOfCall({ tool: 'Bash', input }, { agent: 'claude-code' }, ports),
		denials: [{ gate: 'command-policy', rule: 'r', reason: 'no', fingerprint: key, words: key }],
		asksPerson: true,
		decision: { decision: 'deny', reason: 'no' },
		facts: {},
		hook: { agent: 'claude-code', at: 'other', name: 'PreToolUse', sessionId: key.split(' ')[0] ?? key, raw: {} },
		run: { requestId: key, profile: 'open', timeoutSeconds: 130, clientPid: pid },
	};
}

/** A server of its own over the one journal; `crash` lets it never say or write anything again. */
async function openServer(setting: Setting, model: Model): Promise<void> {
	let alive = true;
	const never = () => new Promise<never>(() => undefined);
	const mortal: JournalStore = {
		...journal,
		async append(draft, unless) {
			if (!alive) return never();
			const row = await journal.append(draft, unless);
			if (!alive) return never();
			if (setting.diesAtDecision && draft.kind === 'approval:resolve' && row) {
				alive = false;
				setting.written();
				return never();
			}
			return row;
		},
	};
	const log = createLog(() => undefined);
	const service = createApprovalService({
		journal: mortal,
		ports,
		log,
		outbox: createOutbox({ journal: mortal, ports, log }),
		grants: { tryGrants: () => null },
		release: (held, { decision, updatedInput }) => ({
			output: decision === 'approve' ? { runs: updatedInput ?? held.input } : { denied: true },
		}),
		holdSeconds: () => 120,
		presence: () => 'here',
		forcedHoldSeconds: null,
		clock: () => ({ ...model.now }),
		probe: {
			identify: (pid) => ({ pid, start: '1' }),
			startedAt: () => null,
			isAlive: ({ pid }) => !setting.dead.has(pid),
			exists: (pid) => !setting.dead.has(pid),
		},
	});
	await service.start();
	setting.service = service;
	setting.crash = async () => {
		alive = false;
		void service.stop();
		counts.crashes += 1;
		model.server += 1;
		for (const ticket of model.tickets) if (ticket.state === 'waiting') ticket.state = 'gone';
		await openServer(setting, model);
	};
}

const isLate = ({ deadline }: ModelTicket, now: Instant) =>
	now.wall >= deadline.wall || now.monotonic >= deadline.monotonic;

/** What a look by the service makes of a ticket. */
function inspectTicket(ticket: ModelTicket, now: Instant): void {
	if (ticket.state !== 'waiting') return;
	const isAbsent = ticket.absentSince !== null && now.monotonic - ticket.absentSince > 5000;
	if (isLate(ticket, now) || ticket.client === 'dead' || isAbsent) ticket.state = 'gone';
}

const nth = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;

/** A hook asks; with the key of an earlier one it is the same call again. */
const ask = (key: string): Command => ({
	check: () => true,
	async run(model, setting) {
		const named = `m${serial} ${key}`;
		const known = model.tickets.find((ticket) => ticket.key === named && ticket.server === model.server);
		const pid = LIVING + model.tickets.length;
		const stub = await setting.service.open(heldCall(named, pid), { polls: true, keys: [named] });
		if (!stub) throw new Error('no ticket');
		if (known) expect(stub.id).toBe(known.id);
		else {
			const deadline = Date.parse(String(setting.service.get(stub.id)?.deadline));
			const ms = deadline - model.now.wall;
			expect(ms).toBeGreaterThan(0);
			model.tickets.push({
				id: stub.id,
				key: named,
				server: model.server,
				state: 'waiting',
				deadline: { wall: deadline, monotonic: model.now.monotonic + ms },
				decidedAt: null,
				absentSince: null,
				client: 'lives',
			});
		}
		const hook: Waiting = { id: stub.id, hook: new AbortController(), outcome: null };
		setting.waiting.push(hook);
		const ticket = known ?? model.tickets.at(-1);
		if (ticket) ticket.absentSince = null;
		void setting.service.wait(stub.id, hook.hook.signal).then((outcome) => {
			hook.outcome = outcome;
		});
	},
	toString: () => `ask ${key}`,
});

const decide = (at: number, bodies: readonly ('approve' | 'deny' | 'edit')[]): Command => ({
	check: ({ tickets }) => tickets.length > 0,
	async run(model, setting) {
		const ticket = nth(model.tickets, at);
		inspectTicket(ticket, model.now);
		const isOpen = ticket.state === 'waiting' && ticket.server === model.server;
		const tries = await Promise.allSettled(
			bodies.map((body) =>
				setting.service.decide(
					ticket.id,
					body === 'edit'
						? { decision: 'approve', updatedInput: { command: 'make other' } }
						: { decision: body, reason: 'r' },
					operator,
				),
			),
		);
		const won = tries.filter(({ status }) => status === 'fulfilled').length;
		expect(won).toBe(isOpen ? 1 : 0);
		for (const tried of tries) {
			if (tried.status === 'rejected') expect([409, 410]).toContain(tried.reason.status);
		}
		if (isOpen) Object.assign(ticket, { state: 'decided', decidedAt: { ...model.now } });
		counts.decided += won;
		counts.refused += tries.length - won;
	},
	toString: () => `decide ${at} ${bodies.join('+')}`,
});

const dieDeciding = (at: number): Command => ({
	check: ({ tickets, server }) => tickets.some((ticket) => ticket.state === 'waiting' && ticket.server === server),
	async run(model, setting) {
		const open = model.tickets.filter((ticket) => ticket.state === 'waiting' && ticket.server === model.server);
		const ticket = nth(open, at);
		inspectTicket(ticket, model.now);
		const isOpen = ticket.state === 'waiting';
		const written = new Promise<void>((resolve) => {
			setting.written = resolve;
		});
		setting.diesAtDecision = true;
		const refused = setting.service.decide(ticket.id, { decision: 'approve' }, operator).then(
			() => expect.unreachable('the dead server answered'),
			() => undefined,
		);
		await Promise.race([written, refused]);
		setting.diesAtDecision = false;
		if (isOpen) Object.assign(ticket, { state: 'decided', decidedAt: { ...model.now } });
		await setting.crash();
	},
	toString: () => `die while deciding ${at}`,
});

const time = (seconds: number): Command => ({
	check: () => true,
	async run(model, setting) {
		model.now.wall += seconds * 1000;
		model.now.monotonic += seconds * 1000;
		await setting.service.sweep();
		for (const ticket of model.tickets) inspectTicket(ticket, model.now);
	},
	toString: () => `${seconds} s pass`,
});

const setBack = (): Command => ({
	check: () => true,
	async run(model) {
		model.now.wall -= 600_000;
	},
	toString: () => 'the clock is set back',
});

const killHook = (at: number): Command => ({
	check: () => true,
	async run(model, setting) {
		const open = setting.waiting.filter(({ outcome, hook }) => outcome === null && !hook.signal.aborted);
		if (open.length === 0) return;
		const { id, hook } = nth(open, at);
		hook.abort();
		const ticket = model.tickets.find((each) => each.id === id);
		const isWaitedFor = setting.waiting.some((each) => each.id === id && !each.hook.signal.aborted);
		if (ticket && !isWaitedFor) ticket.absentSince = model.now.monotonic;
	},
	toString: () => `kill hook ${at}`,
});

const killClient = (at: number): Command => ({
	check: ({ tickets }) => tickets.length > 0,
	async run(model, setting) {
		const index = at % model.tickets.length;
		setting.dead.add(LIVING + index);
		(model.tickets[index] as ModelTicket).client = 'dead';
	},
	toString: () => `kill client ${at}`,
});

const crash = (): Command => ({
	check: () => true,
	run: (_model, setting) => setting.crash(),
	toString: () => 'crash',
});

/** What must be true whatever happened. */
function checkTickets(model: Model, setting: Setting): void {
	for (const ticket of model.tickets) {
		const rows = journal.bySubject(ticket.id);
		const ends = rows.filter(({ kind }) => (ENDS as readonly string[]).includes(kind));
		expect(ends.length).toBeLessThanOrEqual(1);
		const [end] = ends;
		for (const { outcome } of setting.waiting.filter(({ id }) => id === ticket.id)) {
			if (outcome?.kind !== 'answer' || !outcome.output || !('runs' in outcome.output)) continue;
			counts.allowed += 1;
			expect(end?.payload.decision).toBe('approve');
			expect(ticket.decidedAt && !isLate(ticket, ticket.decidedAt)).toBe(true);
			const approved = end?.payload.inputDigest ?? rows[0]?.payload.inputDigest;
			const ran = { tool: 'Bash', input: outcome.output.runs };
			expect(digestOfCall(ran, { agent: 'claude-code' }, ports)).toBe(approved);
		}
	}
}

test('A1: in any order of asking, deciding, editing, waiting, killing and crashing, a question ends once and only what was approved runs', async () => {
	const index = fc.nat(5);
	const body = fc.constantFrom('approve' as const, 'deny' as const, 'edit' as const);
	const commands = fc.commands(
		[
			fc.constantFrom('a', 'b', 'c').map(ask),
			fc.constantFrom('a', 'b', 'c').map(ask),
			fc.tuple(index, fc.array(body, { minLength: 1, maxLength: 3 })).map(([at, bodies]) => decide(at, bodies)),
			fc.tuple(index, fc.array(body, { minLength: 1, maxLength: 3 })).map(([at, bodies]) => decide(at, bodies)),
			index.map(dieDeciding),
			fc.constantFrom(1, 4, 6, 119, 121).map(time),
			fc.constant(setBack()),
			index.map(killHook),
			index.map(killClient),
			fc.constant(crash()),
		],
		{ maxCommands: 12, size: 'max' },
	);
	const runs = soakRuns('A1', 40, 10_000);
	await fc.assert(
		fc.asyncProperty(commands, async (list) => {
			serial += 1;
			// A server's start reads the journal from its beginning: a small one keeps that short.
			if (serial % 40 === 0) await closeHome().then(openHome);
			const model: Model = { now: { wall: Date.now(), monotonic: 0 }, server: 0, tickets: [] };
			const setting = {
				waiting: [],
				dead: new Set(),
				diesAtDecision: false,
				written: () => undefined,
			} as unknown as Setting;
			await openServer(setting, model);
			await fc.asyncModelRun(() => ({ model, real: setting }), list);
			await setting.service.stop();
			checkTickets(model, setting);
		}),
		runs,
	);
	soakCounts('A1', counts);
	expect(counts.allowed).toBeGreaterThan(0);
});
